#!/usr/bin/env python3
"""Writes the licences of everything that is shipped with the application into one file.

What is shipped is asked of those who know: the Go compiler for the modules in the binary, npm's lock file for the
packages of the pages, Pyodide's lock for Python's packages, the sources of the model server. A part without a licence
text stops the build.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import licence_texts
import server_notices
from licence_texts import Notice, NoticeError, folder_text, is_licence

ROOT = Path(__file__).resolve().parent.parent
RESOURCES = ROOT / "build" / "bin" / "resources"
TARGET = RESOURCES / "NOTICES.txt"
TEXTS = ROOT / "build" / "licences"


def kept_text(name: str) -> str:
    """The text kept in this project for a part whose package forgot it."""
    path = TEXTS / f"{name.replace('/', '_')}.txt"
    return path.read_text() if path.is_file() else ""


def go_modules() -> Iterator[Notice]:
    return licence_texts.go_modules("Go modules", ROOT, {"CGO_ENABLED": "1"}, "-tags", os.environ["TAGS"])


def npm_packages() -> Iterator[Notice]:
    """The packages that a production install brings."""
    frontend = ROOT / "frontend"
    lock = json.loads((frontend / "package-lock.json").read_text())
    for place, entry in sorted(lock["packages"].items()):
        if place and not entry.get("dev") and not entry.get("optional") and not entry.get("peer"):
            name = place.rpartition("node_modules/")[2]
            yield Notice("Pages", name, entry["version"], folder_text(frontend / place))


def python_packages() -> Iterator[Notice]:
    """The packages that were vendored for Pyodide, from their own metadata."""
    folder = RESOURCES / "pyodide"
    lock = json.loads((folder / "pyodide-lock.json").read_text())
    for name, entry in sorted(lock["packages"].items()):
        with zipfile.ZipFile(folder / entry["file_name"]) as archive:
            names = [one for one in archive.namelist() if ".dist-info/" in one]
            texts = [archive.read(one).decode(errors="replace").strip() for one in sorted(names) if is_licence(one)]
        yield Notice("Python packages", name, entry["version"], "\n\n".join(texts))
    python = lock["info"]["python"]
    yield Notice("Python packages", "CPython", python, "")


def models() -> Iterator[Notice]:
    version = (RESOURCES / "ollama" / ".complete").read_text().rpartition("-")[0]
    yield from server_notices.server_notices(version)
    yield Notice("Starter model", "SmolLM2-135M-Instruct", "Q4_1", (RESOURCES / "starter" / "LICENSE").read_text())


def collect() -> list[Notice]:
    """All parts with their texts, or an error that names every part without one."""
    found, missing = [], []
    for source in (go_modules, npm_packages, python_packages, models):
        for notice in source():
            text = notice.text.strip() or kept_text(notice.name).strip()
            if text:
                found.append(notice._replace(text=text))
            else:
                missing.append(f"{notice.group}: {notice.name} {notice.version}".rstrip())
    if missing:
        names = "".join(f"\n  {name}" for name in missing)
        raise NoticeError(f"no licence text for{names}\nput it into {TEXTS.relative_to(ROOT)}/")
    return found


def render(notices: list[Notice]) -> str:
    """The parts first, then each different text once."""
    numbers: dict[str, int] = {}
    lines = ["Lathe is shipped together with these works of others.", ""]
    group = ""
    for notice in notices:
        if notice.group != group:
            group = notice.group
            lines += ["", group, "-" * len(group)]
        number = numbers.setdefault(notice.text, len(numbers) + 1)
        lines.append(" ".join(filter(None, (notice.name, notice.version, f"[{number}]"))))
    for text, number in numbers.items():
        lines += ["", "=" * 78, f"[{number}]", "", text]
    return "\n".join(lines) + "\n"


def inputs_key() -> str:
    """What decides the result; the list of Go modules follows from go.sum and the code's imports."""
    code = sorted(path for folder in ("app", "internal") for path in (ROOT / folder).rglob("*.go"))
    paths = [Path(__file__), ROOT / "go.sum", ROOT / "main.go", *code, ROOT / "frontend" / "package-lock.json"]
    paths += [RESOURCES / "pyodide" / "pyodide-lock.json", RESOURCES / "ollama" / ".complete"]
    paths += [*server_notices.inputs(), *sorted(TEXTS.glob("*.txt"))]
    digest = hashlib.sha256()
    for path in paths:
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def main() -> int:
    stamp = TARGET.with_name(".notices")
    key = inputs_key()
    if TARGET.is_file() and stamp.is_file() and stamp.read_text() == key:
        return 0
    try:
        TARGET.write_text(render(collect()))
    except NoticeError as error:
        print(f"notices: {error}", file=sys.stderr)
        return 1
    stamp.write_text(key)
    return 0


if __name__ == "__main__":
    sys.exit(main())
