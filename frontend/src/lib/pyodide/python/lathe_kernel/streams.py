"""stdout and stderr: text in order, in few messages.

The first text after a pause goes out at once. What follows within BATCH
seconds is joined, and leaves with the next write after that time, when it has
grown to LARGE, when the run ends, or when the page asks for it by a signal
because the code computes without writing.
"""

import codecs
import io
import time
from collections.abc import Callable

from .host import Host

BATCH = 0.016
LARGE = 1 << 16


class Outlet:
    """Joins what both streams write, keeping the order between them."""

    def __init__(self, host: Host, clock: Callable[[], float] = time.perf_counter) -> None:
        self._host = host
        self._clock = clock
        self._name = ""
        self._waiting: list[str] = []
        self._size = 0
        self._sent_at = float("-inf")

    def write(self, name: str, text: str) -> None:
        if name != self._name:
            self.flush()
            self._name = name
        self._waiting.append(text)
        self._size += len(text)
        if self._size >= LARGE or self._clock() - self._sent_at >= BATCH:
            self.flush()
        elif len(self._waiting) == 1:
            self._host.hold(True)

    def flush(self) -> None:
        if not self._waiting:
            return
        # Taken before it is sent: a signal may come in between and flush too.
        waiting, self._waiting, self._size = self._waiting, [], 0
        text = "".join(waiting)
        for start in range(0, len(text), LARGE):
            self._host.emit({"type": "stream", "name": self._name, "text": text[start : start + LARGE]})
        self._host.hold(False)
        self._sent_at = self._clock()


class Stream(io.TextIOBase):
    """A text stream as programs expect one, ending in an Outlet."""

    def __init__(self, name: str, descriptor: int, outlet: Outlet) -> None:
        self.name = f"<{name}>"
        self.mode = "w"
        self._stream = name
        self._descriptor = descriptor
        self._outlet = outlet
        self.buffer = Bytes(self)

    encoding = "utf-8"
    errors = "backslashreplace"
    newlines = None
    line_buffering = True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        if text:
            self._outlet.write(self._stream, text)
        return len(text)

    def flush(self) -> None:
        self._outlet.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return False

    def fileno(self) -> int:
        return self._descriptor

    def reconfigure(self, **_: object) -> None:
        """Accepted and without effect: the text goes to a page, which has no encoding."""

    def close(self) -> None:
        """Without effect: the streams live as long as the session."""


class Bytes(io.RawIOBase):
    """sys.stdout.buffer: UTF-8 that may be cut in the middle of a character."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:
        view = memoryview(data).cast("B")
        self._stream.write(self._decoder.decode(view.tobytes()))
        return len(view)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        """Without effect, as Stream.close."""
