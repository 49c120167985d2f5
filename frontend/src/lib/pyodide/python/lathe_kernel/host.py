"""The way out: the functions of the worker, handed over once at the start."""

import json
import math
from typing import Any


class Host:
    """What the worker does for Python."""

    def __init__(self, port: Any) -> None:
        self._port = port

    def emit(self, event: dict[str, Any]) -> None:
        """Sends one event. May wait while the page is behind."""
        try:
            text = json.dumps(event, allow_nan=False, default=str)
        except ValueError:
            text = json.dumps(_finite(event), default=str)
        self._port.emit(text)

    def hold(self, waiting: bool) -> None:
        """Says whether text waits here, so that the page can ask for it."""
        self._port.hold(waiting)

    def ask(self, prompt: str, password: bool) -> None:
        """Begins to ask the person for a line; answer() gives it."""
        self._port.ask(prompt, password)

    def answer(self) -> str | int | None:
        """The line; a number where there is none to be had; None after a short wait for it."""
        return self._port.answer()

    def install(self, package: str) -> None:
        """Puts a package of the lock and what it needs into site-packages."""
        self._port.install(package)


def _finite(value: Any) -> Any:
    """JSON knows neither NaN nor infinity: null, as JavaScript writes them."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


host: Host | None = None


def connect(port: Any) -> Host:
    global host
    host = Host(port)
    return host
