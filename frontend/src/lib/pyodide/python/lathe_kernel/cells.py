"""From the text of a cell to code objects: notebook commands, top-level await, the last value."""

import ast
import linecache
from collections.abc import Mapping
from dataclasses import dataclass
from types import CodeType

from . import notebook

FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# Longer sources (in characters) are compiled without a syntax tree in Python, which takes a
# hundred times their size: mostly they are data, and only their last line is looked at.
LARGE = 1 << 18
# So many lines may be notebook commands.
MOST_COMMANDS = 200


@dataclass
class Cell:
    """A cell that can run: its statements, and its last expression where that is to be shown."""

    body: CodeType
    value: CodeType | None
    modules: list[str]  # what it imports by name, top level
    timed: bool = False  # its time is to be told


def compile_cell(source: str, filename: str, packages: Mapping[str, str]) -> Cell:
    """Compiles a cell and keeps its lines for tracebacks. Raises SyntaxError.

    `packages` are those that can be imported, by the names of their modules.
    """
    source = notebook.plain(source)
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    try:
        command, source = notebook.cell_command(source)
    except notebook.NotebookCommand as error:
        raise _at(error, filename, source, 1 + source[: len(source) - len(source.lstrip())].count("\n")) from None
    compiled = _compile_large if len(source) > LARGE else _compile
    for _ in range(MOST_COMMANDS):
        try:
            cell = compiled(source, filename)
            break
        except SyntaxError as error:
            translated = _translated(error, source, filename, packages)
            if translated is None:
                raise
            source = translated
    else:
        cell = compiled(source, filename)
    cell.timed = command == "time"
    return cell


def _compile(source: str, filename: str) -> Cell:
    tree = compile(source, filename, "exec", FLAGS | ast.PyCF_ONLY_AST, dont_inherit=True)
    modules = _imported(tree)
    tree = ast.fix_missing_locations(_Awaiting().visit(tree))
    value = None
    if tree.body and isinstance(last := tree.body[-1], ast.Expr) and not _ends_quietly(source, last):
        tree.body.pop()
        value = ast.Expression(last.value)
    return Cell(
        compile(tree, filename, "exec", FLAGS, dont_inherit=True),
        None if value is None else compile(value, filename, "eval", FLAGS, dont_inherit=True),
        modules,
    )


def _compile_large(source: str, filename: str) -> Cell:
    start = len(source)
    while start > 0:
        start = source.rfind("\n", 0, max(start - 1, 0)) + 1
        if source[start] not in " \t\f\n#":
            break
    # The last statement, where it stands on lines of its own: else one of the two is no Python.
    try:
        last = _compile("\n" * source.count("\n", 0, start) + source[start:], filename)
        if last.value is not None and not last.body.co_names:
            return Cell(compile(source[:start], filename, "exec", FLAGS, dont_inherit=True), last.value, [])
    except SyntaxError:
        pass
    return Cell(compile(source, filename, "exec", FLAGS, dont_inherit=True), None, [])


def _translated(error: SyntaxError, source: str, filename: str, packages: Mapping[str, str]) -> str | None:
    """The source without the notebook command that Python stopped at; None where it did not."""
    lines = source.split("\n")
    if not error.lineno or error.lineno > len(lines):
        return None
    first = last = error.lineno - 1
    while lines[last].endswith("\\") and last + 1 < len(lines):
        last += 1
    command = " ".join(line.removesuffix("\\") for line in lines[first : last + 1])
    try:
        python = notebook.translate(command, packages)
    except notebook.NotebookCommand as refused:
        raise _at(refused, filename, source, error.lineno) from None
    if python is None:
        return None
    lines[first : last + 1] = [python] + [""] * (last - first)
    return "\n".join(lines)


def _at(error: SyntaxError, filename: str, source: str, line: int) -> SyntaxError:
    error.filename, error.lineno, error.offset = filename, line, None
    error.text = source.split("\n")[line - 1]
    return error


def _ends_quietly(source: str, last: ast.Expr) -> bool:
    """True where a semicolon stands behind the last expression, which hides its value."""
    lines = source.split("\n")
    assert last.end_lineno is not None and last.end_col_offset is not None
    rest = lines[last.end_lineno - 1].encode()[last.end_col_offset :].decode()
    return "\n".join([rest, *lines[last.end_lineno :]]).lstrip(" \t\f\\\n").startswith(";")


def _imported(tree: ast.Module) -> list[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.add(node.module.partition(".")[0])
    return sorted(names)


class _Awaiting(ast.NodeTransformer):
    """Turns asyncio.run(main()) at the top level into an await.

    The loop of the worker is already running and can't be entered again, so
    asyncio.run could only return before its work is done.
    """

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="asyncio"), attr="run"), args=[awaited]
            ):
                return ast.copy_location(ast.Await(awaited), node)
        return node

    def _leave(self, node: ast.AST) -> ast.AST:
        return node

    # Inside of these an await would mean something else.
    visit_FunctionDef = visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = _leave
    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _leave
