"""Finds the licence texts of works: in folders, in the modules of a Go program, in the comments of source files."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

STARTS = ("license", "licence", "copying", "notice", "unlicense", "copyright")
CODE = (".go", ".py", ".js", ".ts")


class NoticeError(Exception):
    """A shipped part has no licence text."""


class Notice(NamedTuple):
    """One shipped part."""

    group: str
    name: str
    version: str
    text: str


def is_licence(name: str) -> bool:
    return name.rpartition("/")[2].lower().startswith(STARTS) and not name.endswith(CODE)


def folder_text(folder: Path) -> str:
    """The texts that lie in a folder itself."""
    files = sorted(path for path in folder.iterdir() if path.is_file() and is_licence(path.name))
    return "\n\n".join(path.read_text(errors="replace").strip() for path in files)


def packages_text(module: Path, packages: set[Path]) -> str:
    """The texts of a module and of its folders on the way to the packages in use: modules carry works of others."""
    folders = {module}
    for package in packages:
        folders.update(one for one in (package, *package.parents) if one.is_relative_to(module))
    # The module's own text stands first, a text that is there twice once.
    texts = dict.fromkeys(folder_text(folder) for folder in sorted(folders))
    return "\n\n".join(text for text in texts if text)


def go_modules(group: str, program: Path, environment: dict[str, str], *flags: str) -> Iterator[Notice]:
    """The modules with a package in the program in this folder, and the Go runtime itself."""
    form = "{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}"
    lines = go("list", "-deps", *flags, "-f", form, ".", cwd=program, env={**os.environ, **environment}).splitlines()
    modules: dict[tuple[str, str, str], set[Path]] = {}
    for line in filter(None, lines):
        path, version, module, package = line.split("\t")
        modules.setdefault((path, version, module), set()).add(Path(package))
    for (path, version, module), packages in sorted(modules.items()):
        yield Notice(group, path, version, packages_text(Path(module), packages))
    root, version = go("env", "GOROOT", "GOVERSION", cwd=program).split()
    yield Notice(group, "the Go runtime and standard library", version, folder_text(Path(root)))


def go(*arguments: str, **options) -> str:
    result = subprocess.run(["go", *arguments], check=False, capture_output=True, text=True, **options)
    if result.returncode != 0:
        raise NoticeError(f"go {arguments[0]} failed, so the modules' licences are unknown:\n{result.stderr.strip()}")
    return result.stdout


def file_text(path: Path) -> str:
    return path.read_text(errors="replace").strip() if path.is_file() else ""


def closing_comment(path: Path) -> str:
    """The last comment of a C file when nothing follows it: there single-file libraries keep their licence."""
    _, opened, comment = file_text(path).rpartition("/*")
    body, closed, after = comment.partition("*/")
    return body.strip() if opened and closed and not after.strip() else ""


def opening_comment(path: Path) -> str:
    """The lines of // with which a C file begins."""
    found = re.match(r"(?://.*\n)+", file_text(path) + "\n")
    lines = found.group().splitlines() if found else []
    return "\n".join(line.removeprefix("//").removeprefix(" ") for line in lines).strip()
