#!/usr/bin/env python3
"""Puts what was measured into build/bin/bench.json and prints it as a table; with --readme into README.md as well.

In both, what was not measured this time stays as it was.
Usage: table.py [--readme] FILE...   each file a JSON object from key to number
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
OPENED, CLOSED = "<!-- bench -->", "<!-- /bench -->"


class TableError(Exception):
    """README.md has no place for the table."""


def merged(path: Path, measured: dict[str, float]) -> dict[str, float]:
    """What the file has, with this time's numbers in the place of earlier ones."""
    before = json.loads(path.read_text()) if path.is_file() else {}
    return {**before, **measured}


def row(key: str, value: float, aims: dict[str, str]) -> str:
    return f"| `{key}` | {value:.3g} | {aims.get(key, '')} |"


def table(rows: dict[str, str], aims: dict[str, str]) -> str:
    """The rows in the order of the aims; keys without one follow by name."""
    order = list(aims)
    keys = sorted(rows, key=lambda key: (order.index(key) if key in aims else len(order), key))
    return "\n".join(["| key | value | aim |", "|---|---|---|", *(rows[key] for key in keys)])


def with_table(text: str, rows: dict[str, str], aims: dict[str, str]) -> str:
    """The page with the table between its two marks; rows of other keys that stand there stay."""
    before, opened, rest = text.partition(OPENED)
    inside, closed, after = rest.partition(CLOSED)
    if not opened or not closed:
        raise TableError(f"README.md needs the lines {OPENED} and {CLOSED}; the table comes between them")
    there = {found[1]: found[0] for found in re.finditer(r"^\| `([^`]+)` \|.*$", inside, re.MULTILINE)}
    return f"{before}{opened}\n\n{table({**there, **rows}, aims)}\n\n{closed}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readme", action="store_true")
    parser.add_argument("files", nargs="+", type=Path)
    options = parser.parse_args()
    measured: dict[str, float] = {}
    for path in options.files:
        measured.update(json.loads(path.read_text()))
    aims = json.loads((HERE / "aims.json").read_text())
    rows = {key: row(key, value, aims) for key, value in measured.items()}

    kept = ROOT / "build" / "bin" / "bench.json"
    kept.write_text(json.dumps(merged(kept, measured), indent=2, sort_keys=True) + "\n")
    print(table(rows, aims))
    if options.readme:
        readme = ROOT / "README.md"
        try:
            readme.write_text(with_table(readme.read_text(), rows, aims))
        except TableError as error:
            print(f"bench: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
