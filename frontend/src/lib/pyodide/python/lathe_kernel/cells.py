"""From the text of a cell to code objects: magics, top-level await, the last value."""

import ast
import linecache
import re
import tokenize
from dataclasses import dataclass
from io import StringIO
from types import CodeType

FLAGS = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
# Lines that a notebook understands and Python doesn't, and that have nothing to do here.
IDLE_MAGIC = re.compile(r"^%(matplotlib|config|load_ext|autoreload)\b.*$")
MAGIC = re.compile(r"^\s*(%{1,2}[A-Za-z_]|!)")


@dataclass
class Cell:
    """A cell that can run: its statements, and its last expression where that is to be shown."""

    body: CodeType
    value: CodeType | None
    modules: list[str]  # what it imports by name, top level


def compile_cell(source: str, filename: str) -> Cell:
    """Compiles a cell and keeps its lines for tracebacks. Raises SyntaxError."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    source = "\n".join("" if IDLE_MAGIC.match(line) else line for line in source.split("\n"))
    try:
        tree = compile(source, filename, "exec", FLAGS | ast.PyCF_ONLY_AST, dont_inherit=True)
    except SyntaxError as error:
        raise _explained(error, source) from None
    modules = _imported(tree)
    tree = ast.fix_missing_locations(_Awaiting().visit(tree))
    value = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not ends_quietly(source):
        value = ast.Expression(tree.body.pop().value)
    return Cell(
        compile(tree, filename, "exec", FLAGS, dont_inherit=True),
        None if value is None else compile(value, filename, "eval", FLAGS, dont_inherit=True),
        modules,
    )


def _explained(error: SyntaxError, source: str) -> SyntaxError:
    lines = source.split("\n")
    line = lines[error.lineno - 1] if error.lineno and error.lineno <= len(lines) else ""
    if MAGIC.match(line):
        error.add_note("Commands that begin with ! or % belong to a notebook; only Python can run here.")
    return error


def ends_quietly(source: str) -> bool:
    """True where the last thing of the cell is a semicolon, which hides its value."""
    last = ""
    try:
        for token in tokenize.generate_tokens(StringIO(source).readline):
            if token.type not in (tokenize.NEWLINE, tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER, tokenize.DEDENT):
                last = token.string
    except (tokenize.TokenError, SyntaxError):
        return False
    return last == ";"


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
