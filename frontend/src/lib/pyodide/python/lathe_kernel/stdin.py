"""input(), getpass and sys.stdin: lines that the person is asked for.

There is no end of the input as a keyboard has one: who is asked answers with
a line, which may be empty, or can't be asked, which is an EOFError that says so.
"""

import io
from types import ModuleType
from typing import Any

from .host import Host
from .streams import Outlet

NOBODY = "input() is not available here: nobody can be asked. Put the value into the code instead."
NO_MEMORY = (
    "input() is not available here: this webview has no shared memory to wait with. "
    "Put the value into the code instead."
)
TOO_LONG = "The answer is longer than 64 KiB. Put the text into a file instead."
# What the worker gives in the place of an answer; the same as Refused in protocol.ts.
REFUSED = {-1: NOBODY, -2: TOO_LONG, -3: NO_MEMORY}


class Asker:
    """Asks, and shows question and answer where a terminal would."""

    def __init__(self, host: Host, outlet: Outlet) -> None:
        self._host = host
        self._outlet = outlet

    def ask(self, prompt: str, password: bool = False) -> str:
        """The answer without the end of its line. Raises EOFError where nobody answers."""
        self._outlet.flush()
        said = prompt
        try:
            self._host.ask(prompt, password)
            while (answer := self._host.answer()) is None:
                # The interpreter looks for signals once in some dozens of instructions.
                for _ in range(100):
                    pass
            if not isinstance(answer, str):
                raise EOFError(REFUSED.get(int(answer), NOBODY))
            answer = answer.removesuffix("\n").removesuffix("\r")
            if not password:
                said += answer
            return answer
        finally:
            if said or not password:
                self._outlet.write("stdout", said + "\n")

    def input(self, prompt: object = "", /) -> str:
        """In the place of builtins.input."""
        return self.ask(str(prompt))

    def getpass(self, prompt: str = "Password: ", stream: Any = None) -> str:
        """In the place of getpass.getpass."""
        return self.ask(str(prompt), password=True)

    def hook(self, module: ModuleType) -> None:
        """Changes the module getpass after its import."""
        module.getpass = module.unix_getpass = module.fallback_getpass = self.getpass  # type: ignore[attr-defined]


class Stdin(io.TextIOBase):
    """sys.stdin: each line is asked for when it is read."""

    name = "<stdin>"
    mode = "r"
    encoding = "utf-8"
    errors = "strict"
    newlines = None

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._waiting = ""

    def readable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return 0

    def close(self) -> None:
        """Without effect: stdin lives as long as the session."""

    def read(self, size: int | None = -1, /) -> str:
        """One answer with the end of its line: nobody can say where a whole input ends."""
        if not self._waiting:
            self._waiting = self._asker.ask("") + "\n"
        return self._take(len(self._waiting) if size is None or size < 0 else size)

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]
        if not self._waiting:
            self._waiting = self._asker.ask("") + "\n"
        line = self._waiting.index("\n") + 1
        return self._take(line if size is None or size < 0 else min(size, line))

    def readlines(self, hint: int | None = -1, /) -> list[str]:  # type: ignore[override]
        """The lines of one answer, as read()."""
        return self.read().splitlines(keepends=True)

    def __iter__(self) -> "Stdin":
        return self

    def __next__(self) -> str:
        return self.readline()

    def _take(self, size: int) -> str:
        text, self._waiting = self._waiting[:size], self._waiting[size:]
        return text
