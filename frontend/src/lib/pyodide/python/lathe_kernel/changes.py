"""What other modules do differently here, each change made after its module's import."""

import functools
import os
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import figures

NO_NETWORK = (
    "Code that runs in Pyodide has no network. Put the data into the code itself, "
    "or save the code as a file and run it in your own Python."
)
BACKEND = "module://lathe_kernel.backend"
# Backends that write files; every other one would want a window.
FILE_BACKENDS = {"cairo", "pdf", "pgf", "ps", "svg", "template"}
# Between two looks at whether the run was stopped.
SLICE = 0.05


def _refuse(*_: Any, **__: Any) -> Any:
    raise OSError(101, NO_NETWORK)


async def _refuse_async(*_: Any, **__: Any) -> Any:
    _refuse()


def socket(module: ModuleType) -> None:
    module.socket.connect = _refuse
    module.socket.connect_ex = _refuse
    module.create_connection = _refuse
    module.getaddrinfo = _refuse
    module.gethostbyname = _refuse


def pyodide_http(module: ModuleType) -> None:
    module.pyfetch = _refuse_async
    module.open_url = _refuse


def urllib_request(module: ModuleType) -> None:
    # Without ssl, urllib would speak of an unknown URL type.
    module.OpenerDirector.open = _file_or_refuse(module.OpenerDirector.open)


def _file_or_refuse(original: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(original)
    def open_local(self: Any, fullurl: Any, *arguments: Any, **keywords: Any) -> Any:
        address = fullurl if isinstance(fullurl, str) else fullurl.full_url
        if address.partition(":")[0].lower() not in ("file", "data"):
            _refuse()
        return original(self, fullurl, *arguments, **keywords)

    return open_local


def _backend(name: Any) -> Any:
    return name if not isinstance(name, str) or name.lower() in FILE_BACKENDS else BACKEND


def matplotlib(module: ModuleType) -> None:
    original = module.use

    @functools.wraps(original)
    def use(backend: Any, **keywords: Any) -> None:
        original(_backend(backend), **keywords)

    module.use = use


def pyplot(module: ModuleType) -> None:
    original = module.switch_backend

    @functools.wraps(original)
    def switch_backend(newbackend: Any) -> None:
        original(_backend(newbackend))

    module.switch_backend = switch_backend
    module.show = figures.show_all
    if module._backend_mod is not None:  # in the snapshot it has drawn already
        original(BACKEND)


def figure(module: ModuleType) -> None:
    def show(self: Any, warn: bool = True) -> None:
        figures.show(self)

    module.Figure.show = show


HOOKS = {
    "socket": socket,
    "pyodide.http": pyodide_http,
    "urllib.request": urllib_request,
    "matplotlib": matplotlib,
    "matplotlib.figure": figure,
    "matplotlib.pyplot": pyplot,
}


def sleep(outlet: Any) -> Callable[[float], None]:
    """time.sleep in slices: text appears before it, and a stop ends it."""
    nap = time.sleep

    @functools.wraps(nap)
    def sliced(seconds: float, /) -> None:
        outlet.flush()
        end = time.monotonic() + seconds
        if seconds <= SLICE:
            nap(seconds)
            return
        while (left := end - time.monotonic()) > 0:
            nap(min(left, SLICE))
            # The interpreter looks for signals once in some dozens of instructions.
            for _ in range(100):
                pass

    return sliced


def environment() -> None:
    os.environ["MPLBACKEND"] = BACKEND
    # A traceback in colours would be escape sequences in the middle of text.
    os.environ["NO_COLOR"] = "1"
    sys.dont_write_bytecode = True
