"""What people paste that is not quite Python: prompts, notebook commands, odd line ends.

Source is taken as it is wherever Python understands it; a line is looked at
only where Python has stopped, so that text in strings stays what it is.
"""

import re
from collections.abc import Mapping

# Commands that have nothing to do here.
IDLE = {"autoreload", "capture", "config", "load_ext", "matplotlib", "pylab", "reload_ext"}
COMMAND = re.compile(r"^(?P<indent>\s*)(?P<mark>%{1,2}|!{1,2})\s*(?P<name>[\w./-]*)\s*(?P<rest>.*)$")
CELL_COMMAND = re.compile(r"^\s*%%(?P<name>\w+)[ \t]*(?P<rest>[^\n]*)(?:\n|$)")
ASSIGNED = re.compile(r"^\s*[\w., ()\[\]]+=\s*[!%]")
HELP = re.compile(r"^(?P<indent>\s*)(?P<before>\?{0,2})(?P<name>[^\W\d][\w.]*)(?P<after>\?{0,2})\s*$")
INSTALL = re.compile(
    r"^(?P<indent>\s*)(?:[!%]\s*)?(?:python[\d.]*\s+-m\s+)?(?:uv\s+)?(?:pip[\d.]*|conda|mamba)\s+install\b(?P<rest>.*)$"
)
PROMPT = re.compile(r"^\s*(?:>>>|In \[\d*\]:)(?: |$)")
CONTINUED = re.compile(r"^\s*(?:>>>|\.{3,}:?|In \[\d*\]:)(?: |$)")

ONLY_PYTHON = "belongs to a notebook, and only Python can run here."
TIMING = '__import__("lathe_kernel.timing").timing'


class NotebookCommand(SyntaxError):
    """A line that a notebook would take and that can't work here."""


def plain(source: str) -> str:
    """The source with ordinary line ends, without a mark of the byte order and without prompts."""
    source = source.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if not PROMPT.match(source.lstrip()[:100]):
        return source
    # As doctest reads it: what has no prompt is what was printed.
    return "\n".join(line[match.end() :] if (match := CONTINUED.match(line)) else "" for line in source.split("\n"))


def cell_command(source: str) -> tuple[str, str]:
    """The command for the whole cell that it begins with, or "", and the cell in Python."""
    match = CELL_COMMAND.match(source)
    if match is None:
        return "", source
    name, words, rest = match["name"], match["rest"].strip(), source[match.end() :]
    # The lines keep their numbers.
    python = "\n" * source[: match.end()].count("\n") + rest
    if name == "time" or name in IDLE:
        return name, python
    if name == "timeit":
        return name, f"{TIMING}.many({rest!r}, globals())"
    if name in ("writefile", "file") and words and not words.startswith("-"):
        return name, f"with open({words!r}, 'w', encoding='utf-8') as _: _.write({rest!r})\nprint({f'Wrote {words}'!r})"
    raise NotebookCommand(f"%%{name} {ONLY_PYTHON}")


def translate(line: str, packages: Mapping[str, str]) -> str | None:
    """A line that Python does not understand as Python that does the same; None where it is no command.

    Raises NotebookCommand for a command that can't be carried out.
    """
    if match := INSTALL.match(line):
        return match["indent"] + _install(match["rest"], packages)
    if (match := HELP.match(line)) and (match["before"] or match["after"]):
        return f"{match['indent']}help({match['name']})"
    if ASSIGNED.match(line):
        raise NotebookCommand(f"What stands behind the = {ONLY_PYTHON}")
    match = COMMAND.match(line)
    if match is None:
        return None
    indent, mark, name, rest = match["indent"], match["mark"], match["name"], match["rest"].strip()
    if mark.startswith("!"):
        raise NotebookCommand(f"{mark}{name} {ONLY_PYTHON} There is no shell in Pyodide.")
    if mark == "%":
        if name in IDLE:
            return indent + "pass"
        if name in ("time", "timeit"):
            return f"{indent}{TIMING}.{'one' if name == 'time' else 'many'}({rest!r}, globals())"
        if name == "cd":
            return f"{indent}__import__('os').chdir({rest or '/mnt/data'!r})"
        if name == "pwd":
            return f"{indent}__import__('os').getcwd()"
    raise NotebookCommand(f"{mark}{name} {ONLY_PYTHON}")


def _install(words: str, packages: Mapping[str, str]) -> str:
    """Python for an installation of packages that are all here. Raises NotebookCommand for others."""
    from .imports import HIDDEN

    known = {_normal(name): package for pair in packages.items() for name, package in zip(pair, pair[1:] * 2)}
    names = [word.strip("\"'") for word in words.partition("#")[0].replace("\\", " ").split()]
    wanted = [re.split(r"[\[<>=!~;@]", name)[0] for name in names if name and not name.startswith("-")]
    missing = [name for name in wanted if _normal(name) not in known]
    if wanted and not missing:
        return f"print({', '.join(known[_normal(name)] for name in wanted) + ': already here, with Pyodide.'!r})"
    available = ", ".join(sorted(set(packages.values()) - HIDDEN, key=str.lower))
    raise NotebookCommand(
        f"{', '.join(missing) or 'This'} can't be installed: code that runs in Pyodide has no network. "
        f"These packages are here: {available}."
    )


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
