"""What an interpreter that continues from the snapshot has to make its own again."""

import random
import sys
import tempfile
import time
from collections.abc import Iterable

from .imports import LockFinder


def up(finder: LockFinder, packages: Iterable[str]) -> None:
    """Called once, before anything of the chat. `packages` came with the snapshot."""
    finder.restored(packages)
    # The state of these is part of the memory: without this all sessions would throw the same dice.
    random.seed()
    numpy_random = sys.modules.get("numpy.random")
    if numpy_random is not None:
        numpy_random.seed()
    tempfile._name_sequence = None  # type: ignore[attr-defined]
    zone()


def zone() -> None:
    """Tells Python of the clock's zone, which it reads when time is imported (time.tzset is missing here)."""
    year = time.localtime().tm_year
    winter, summer = (time.localtime(time.mktime((year, month, 1, 0, 0, 0, 0, 0, 0))) for month in (1, 7))
    if winter.tm_gmtoff > summer.tm_gmtoff:  # south of the equator
        winter, summer = summer, winter
    time.timezone, time.altzone = -winter.tm_gmtoff, -summer.tm_gmtoff
    time.daylight = int(winter.tm_gmtoff != summer.tm_gmtoff)
    time.tzname = (winter.tm_zone, summer.tm_zone)
