#!/usr/bin/env python3
"""Writes the licences of everything that is shipped with the application into one file.

What is shipped is asked of those who know: the Go compiler for the modules in the binary, npm's lock file for the
packages of the pages, Pyodide's lock for Python's packages. A part without a licence text stops the build.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
RESOURCES = ROOT / "build" / "bin" / "resources"
TARGET = RESOURCES / "NOTICES.txt"
TEXTS = ROOT / "build" / "licences"
STARTS = ("license", "licence", "copying", "notice", "unlicense", "copyright")


class NoticeError(Exception):
    """A shipped part has no licence text."""


class Notice(NamedTuple):
    """One shipped part."""

    group: str
    name: str
    version: str
    text: str


def is_licence(name: str) -> bool:
    return name.rpartition("/")[2].lower().startswith(STARTS) and not name.endswith((".go", ".py", ".js", ".ts"))


def kept_text(name: str) -> str:
    """The text kept in this project for a part whose package forgot it."""
    path = TEXTS / f"{name.replace('/', '_')}.txt"
    return path.read_text() if path.is_file() else ""


def folder_text(folder: Path) -> str:
    files = sorted(path for path in folder.iterdir() if path.is_file() and is_licence(path.name))
    return "\n\n".join(path.read_text(errors="replace").strip() for path in files)


def go_modules() -> Iterator[Notice]:
    """The modules with a package in the binary, and the Go runtime itself."""
    form = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}"
    command = ["go", "list", "-deps", "-tags", os.environ["TAGS"], "-f", form, "."]
    lines = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    for line in sorted({line for line in lines if line}):
        path, version, folder = line.split("\t")
        yield Notice("Go modules", path, version, folder_text(Path(folder)))
    root, version = subprocess.run(
        ["go", "env", "GOROOT", "GOVERSION"], check=True, capture_output=True, text=True
    ).stdout.split()
    yield Notice("Go modules", "the Go runtime and standard library", version, folder_text(Path(root)))


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
    server = RESOURCES / "ollama"
    version = (server / ".complete").read_text().rpartition("-")[0]
    yield Notice("Model server", "Ollama, with llama.cpp and ggml", version, (server / "LICENSE").read_text())
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
                missing.append(f"{notice.group}: {notice.name} {notice.version}")
    if missing:
        raise NoticeError("no licence text for\n  " + "\n  ".join(missing) + f"\nput it into {TEXTS.relative_to(ROOT)}/")
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
        lines.append(f"{notice.name} {notice.version} [{number}]")
    for text, number in numbers.items():
        lines += ["", "=" * 78, f"[{number}]", "", text]
    return "\n".join(lines) + "\n"


def inputs_key() -> str:
    """What decides the result; the list of Go modules follows from go.sum and the code's imports."""
    code = sorted(path for folder in ("app", "internal") for path in (ROOT / folder).rglob("*.go"))
    paths = [Path(__file__), ROOT / "go.sum", ROOT / "main.go", *code, ROOT / "frontend" / "package-lock.json"]
    paths += [RESOURCES / "pyodide" / "pyodide-lock.json", RESOURCES / "ollama" / ".complete"]
    paths += sorted(TEXTS.glob("*.txt"))
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
