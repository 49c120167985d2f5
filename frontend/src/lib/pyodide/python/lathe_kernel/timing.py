"""%time and %timeit, as far as they are cheap to have."""

import time
import timeit
from typing import Any


def one(statement: str, namespace: dict[str, Any]) -> Any:
    """Runs a statement once and says how long it took. Gives its value, if it has one."""
    began = time.perf_counter()
    try:
        code = compile(statement, "<time>", "eval")
    except SyntaxError:
        exec(compile(statement, "<time>", "exec"), namespace)
        value = None
    else:
        value = eval(code, namespace)
    print(told(began))
    return value


def many(statement: str, namespace: dict[str, Any]) -> None:
    """Runs a statement so often that one run's time can be told."""
    timer = timeit.Timer(statement, globals=namespace)
    count, total = timer.autorange()
    best = min(total, *timer.repeat(2, count)) / count
    print(f"{_seconds(best)} per loop (best of 3 runs, {count:,} loops each)")


def told(began: float) -> str:
    """The time since a value of time.perf_counter()."""
    return f"Wall time: {_seconds(time.perf_counter() - began)}"


def _seconds(value: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"
