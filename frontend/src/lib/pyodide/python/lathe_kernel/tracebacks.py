"""Tracebacks that begin where the person's code begins."""

import sys
import traceback
from collections.abc import Iterator

CELL = "<cell "
ENGINE = "/lib/lathe/"
# A recursive program may nest causes as deep as it likes.
MOST_CAUSES = 20


def _chain(exception: traceback.TracebackException, left: int = MOST_CAUSES) -> Iterator[traceback.TracebackException]:
    yield exception
    if left:
        for other in (exception.__cause__, exception.__context__, *(exception.exceptions or ())):
            if other is not None:
                yield from _chain(other, left - 1)


def _visible(stack: traceback.StackSummary) -> traceback.StackSummary:
    first = next((index for index, frame in enumerate(stack) if frame.filename.startswith(CELL)), 0)
    return traceback.StackSummary.from_list(
        [frame for frame in stack[first:] if not frame.filename.startswith(ENGINE)]
    )


def lines(exception: BaseException) -> list[str]:
    """The whole traceback, without the engine's frames, line by line."""
    told = traceback.TracebackException.from_exception(exception, compact=True)
    for part in _chain(told):
        part.stack = _visible(part.stack)
    text = "".join(told.format())
    head = "Traceback (most recent call last):\n"
    if not told.stack and text.startswith(head):
        text = text.removeprefix(head)
    return text.rstrip("\n").split("\n")


def name(exception: BaseException) -> str:
    kind = type(exception)
    return kind.__qualname__ or "Exception"


def value(exception: BaseException) -> str:
    """The message in one piece. An exception whose __str__ fails still has a traceback."""
    try:
        return str(exception)
    except Exception:
        return f"<no message: {sys.exc_info()[0].__name__} in __str__>"
