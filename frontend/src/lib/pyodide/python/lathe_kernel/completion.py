"""What could stand at the cursor: names of the session, and attributes.

No code of the chat runs for it: attributes are looked up without properties
and without __getattr__, and an object is asked for its list of attributes only
where that is the work of a library known here.
"""

import builtins
import inspect
import keyword
import re
import sys
from collections.abc import Iterable, Mapping
from types import BuiltinFunctionType, FunctionType, GetSetDescriptorType, MethodDescriptorType, ModuleType
from typing import Any

MOST = 200
LONGEST = 200  # characters of a match

# The name before the cursor, and what it is taken from: a.b.na
NAME = re.compile(r"(?P<path>(?:[^\W\d]\w*\s*\.\s*)*)(?P<start>(?:[^\W\d]\w*)?)$")
IMPORT = re.compile(r"^\s*(?:import\s+(?:[\w.]+(?:\s+as\s+\w+)?\s*,\s*)*|from\s+)(?P<start>\w*)$")
FROM = re.compile(r"^\s*from\s+(?P<module>[\w.]+)\s+import\s+\(?(?:[\w\s]+,\s*)*(?P<start>\w*)$")
# Whose __dir__ does nothing but to list, and lists what no class holds (the columns of a table).
TRUSTED = {"pandas"}
MISSING = object()
ROUTINES = (FunctionType, BuiltinFunctionType, MethodDescriptorType, type)


def complete(source: str, cursor: int, namespace: Mapping[str, Any], packages: Iterable[str]) -> dict[str, Any]:
    """The matches, and the places between which they belong, in code points."""
    line = source[:cursor].rpartition("\n")[2]
    start, names = _candidates(line, namespace, packages)
    hidden = start.startswith("_")
    found = sorted(
        name
        for name in set(names)
        if isinstance(name, str) and name.startswith(start) and name != start and len(name) <= LONGEST
        and (hidden or not name.startswith("_"))
    )  # fmt: skip
    return {"matches": found[:MOST], "start": cursor - len(start), "end": cursor}


def _candidates(line: str, namespace: Mapping[str, Any], packages: Iterable[str]) -> tuple[str, Iterable[str]]:
    if match := IMPORT.match(line):
        return match["start"], [*sys.stdlib_module_names, *packages, *(n for n in sys.modules if "." not in n)]
    if match := FROM.match(line):
        module = sys.modules.get(match["module"])
        return match["start"], () if module is None else _attributes(module)
    match = NAME.search(line)
    assert match is not None  # it matches nothing, too
    before = line[: match.start()].rstrip()
    path = [name.strip() for name in match["path"].split(".")[:-1]]
    if before.endswith(".") or (not path and (not match["start"] or before[-1:].isdigit())):
        return match["start"], ()  # an attribute of something that is not a name, or no name at all
    if not path:
        return match["start"], [*namespace, *vars(builtins), *keyword.kwlist]
    value = namespace.get(path[0], vars(builtins).get(path[0], MISSING))
    for name in path[1:]:
        value = _attribute(value, name)
    return match["start"], () if value is MISSING else _attributes(value)


def _attribute(value: Any, name: str) -> Any:
    """An attribute that is simply there; MISSING where code would have to run for it."""
    if value is MISSING:
        return MISSING
    found = inspect.getattr_static(value, name, MISSING)
    if type(found) in (staticmethod, classmethod):
        return found.__func__
    simple = _is_module(value) or type(found) in ROUTINES
    return found if simple or inspect.getattr_static(type(found), "__get__", None) is None else MISSING


def _is_module(value: Any) -> bool:
    # isinstance would ask the value for its __class__, which may be code.
    return issubclass(type(value), ModuleType)


def _attributes(value: Any) -> Iterable[str]:
    if _is_module(value):
        return list(ModuleType.__getattribute__(value, "__dict__"))
    kind = type(value)
    lister = inspect.getattr_static(kind, "__dir__", None)
    if type(lister) is FunctionType and lister.__module__.partition(".")[0] in TRUSTED:
        return dir(value)
    names: list[str] = []
    described = value if issubclass(kind, type) else kind
    for base in type.__dict__["__mro__"].__get__(described):
        held = type.__dict__["__dict__"].__get__(base)
        names += held
        own = held.get("__dict__")
        if described is kind and type(own) is GetSetDescriptorType:
            names += own.__get__(value)
    return names
