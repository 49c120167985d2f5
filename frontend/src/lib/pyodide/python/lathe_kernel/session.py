"""One session: runs cells one after the other in one namespace."""

import __main__

import asyncio
import builtins
import inspect
import json
import os
import signal
import sys
import time
from types import ModuleType
from typing import Any

from . import awake, changes, completion, display, figures, timing, tracebacks
from .cells import Cell, compile_cell
from .host import Host, connect
from .imports import AfterImport, LockFinder, missing_module
from .stdin import Asker, Stdin
from .streams import Outlet, Stream

DATA = "/mnt/data"
UPLOADS = "/mnt/uploads"
# The page asks by this signal for text that waits while code computes.
FLUSH_SIGNAL = signal.SIGALRM


class Session:
    """The state of an interpreter, and the steps of a run."""

    def __init__(self, host: Host, packages: dict[str, str]) -> None:
        self.outlet = Outlet(host)
        self.finder = LockFinder(packages, host.install)
        self.namespace: dict[str, Any] = __main__.__dict__
        self._host = host
        self._count = 0
        self._cell: Cell | None = None
        self._broken: SyntaxError | None = None
        self._task: asyncio.Task[Any] | None = None
        self._stopped = False
        self._later: list[asyncio.Future[Any]] = []
        self._before = set(self.namespace)

    # A run: prepare, (the worker brings the packages,) run.

    def prepare(self, source: str) -> list[str]:
        """Compiles a cell and returns the packages that its imports will need."""
        self._count += 1
        self._stopped = False
        self._cell = self._broken = None
        try:
            self._cell = compile_cell(source, f"<cell {self._count}>", self.finder.packages)
        except SyntaxError as error:
            self._broken = error
            return []
        except UnicodeEncodeError as error:
            half = ord(error.object[error.start])
            self._broken = SyntaxError(f"the code has half of a character in it (U+{half:04X}), which is no text")
            return []
        except ValueError as error:
            self._broken = SyntaxError(str(error))
            return []
        except (RecursionError, MemoryError):
            self._broken = SyntaxError("the code is nested too deeply, or too large")
            return []
        return self.finder.missing(self._cell.modules)

    async def run(self) -> str:
        """Runs the prepared cell and returns its status: ok, error or stopped."""
        self._task = asyncio.current_task()
        error: BaseException | None = self._broken
        try:
            if self._cell is not None:
                await self._run(self._cell)
        except BaseException as raised:
            error = raised
        try:
            # Charts of a run that failed half-way are shown too.
            figures.show_all()
        except BaseException as raised:
            error = error or raised
            figures.close_all()
        self._task = None
        self.outlet.flush()
        return "ok" if error is None else self._report(error)

    async def _run(self, cell: Cell) -> None:
        self.finder.install(cell.modules)
        began = time.perf_counter()
        await self._evaluate(cell.body)
        value = None if cell.value is None else await self._evaluate(cell.value)
        while self._later:
            await self._later.pop(0)
        if value is not None:
            self._show(value)
        if cell.timed:
            print(timing.told(began))

    async def _evaluate(self, code: Any) -> Any:
        value = eval(code, self.namespace)
        return await value if code.co_flags & inspect.CO_COROUTINE else value

    def _show(self, value: Any) -> None:
        self.namespace["_"] = value
        if figures.is_figure(value):
            figures.show(value)
        elif not figures.is_artist(value):
            display.publish("execute_result", *display.mime_bundle(value))

    def _report(self, error: BaseException) -> str:
        if self._stopped and isinstance(error, asyncio.CancelledError):
            error = KeyboardInterrupt().with_traceback(error.__traceback__)
        missing = missing_module(error, self.finder)
        if missing is not None:
            error.add_note(
                f"{missing['package']} is not among the packages that come with Pyodide here: {missing['available']}. "
                "Nothing can be installed without a network; code that needs other packages runs in your own Python."
            )
        if isinstance(error, SystemExit):
            value = str(0 if error.code is None else error.code)
            lines = [f"SystemExit: {value}"]
        else:
            value, lines = tracebacks.value(error), tracebacks.lines(error)
        self._host.emit(
            {
                "type": "error",
                "ename": tracebacks.name(error),
                "evalue": value,
                "traceback": lines,
            }
        )
        if missing is not None:
            self._host.emit({"type": "notice", "code": "module_missing", "params": missing})
        return "stopped" if isinstance(error, KeyboardInterrupt) else "error"

    def cancel(self) -> None:
        """Stops a run that waits. One that computes is stopped by a signal."""
        self._stopped = True
        if self._task is not None:
            self._task.cancel()

    def variables(self) -> int:
        """How many names the code has made, modules and private ones aside."""
        return sum(
            1
            for name, value in self.namespace.items()
            if not name.startswith("_") and name not in self._before and not isinstance(value, ModuleType)
        )

    def complete(self, source: str, cursor: int) -> str:
        """What could stand at the cursor, as JSON."""
        return json.dumps(completion.complete(source, cursor, self.namespace, self.finder.packages))

    # Where the run's own steps meet what Python offers to code.

    def asyncio_run(self, main: Any, **_: Any) -> asyncio.Future[Any]:
        """asyncio.run inside a function: the run ends when it has ended."""
        task = asyncio.ensure_future(main)
        self._later.append(task)
        return task


_session: Session | None = None


def session() -> Session:
    assert _session is not None
    return _session


def start(port: Any, packages: Any, restored: Any = ()) -> Session:
    """Makes this interpreter a session. Called once, before any code of the chat."""
    global _session
    host = connect(port)
    changes.environment()
    _session = Session(host, packages.to_py())
    if len(restored) > 0:
        awake.up(_session.finder, restored.to_py())
    outlet = _session.outlet
    sys.stdout = Stream("stdout", 1, outlet)
    sys.stderr = Stream("stderr", 2, outlet)
    asker = Asker(host, outlet)
    sys.stdin = Stdin(asker)
    builtins.input = asker.input  # type: ignore[assignment]
    builtins.display = display.display  # type: ignore[attr-defined]
    time.sleep = changes.sleep(outlet)
    asyncio.run = _session.asyncio_run  # type: ignore[assignment]
    loop = asyncio.get_event_loop()
    loop._system_exit_handler = lambda _: None  # type: ignore[attr-defined]
    loop._keyboard_interrupt_handler = _session.cancel  # type: ignore[attr-defined]
    signal.signal(FLUSH_SIGNAL, lambda *_: outlet.flush())
    os.makedirs(DATA, exist_ok=True)
    if not os.path.lexists(UPLOADS):
        os.symlink(DATA, UPLOADS)
    os.chdir(DATA)
    # Last, so that an uploaded pandas.py hides nothing.
    sys.path[:] = [path for path in sys.path if path not in ("", DATA)] + [DATA]
    sys.meta_path.insert(0, AfterImport({**changes.HOOKS, "getpass": asker.hook}))
    sys.meta_path.append(_session.finder)
    return _session
