"""What IPython adds to Python, taken out again: magics, shell and help lines, prompts, and what asks somebody there."""

import ast
import re

from .reading import NOT_PYTHON

BODY_MAGICS = (
    "%%time", "%%timeit", "%%capture", "%%prun", "%%python", "%%python3",
    "%%memit", "%%mprun", "%%lprun", "%%snakeviz", "%%heat", "%%debug",
)  # fmt: skip
MAGIC_LINE = re.compile(r"^(\s*)(?:%|!|\?)|^(\s*)[\w.]+\?\??\s*$")
MAGIC_VALUE = re.compile(r"^([ \t]*+)([\w, \t]*+)=[ \t]*+[%!]")  # possessive: a line may be a million blanks
TIMED = re.compile(r"^(\s*)%time\s+([A-Za-z_]\w*\s*=[^=].*)$")
PROMPT = re.compile(r"^(?:>>> ?|In ?\[\d*\]: ?)")
CONTINUED_PROMPT = re.compile(r"^(?:>>> ?|\.\.\. ?|In ?\[\d*\]: ?|\s*\.{3,}: ?)")
ASKS = re.compile(r"\binput\s*\(|\bawait\b|\basync\s+(?:for|with)\b")
MAX_LINES = 40  # magics looked for one after another; each costs a compilation,
MAX_COMPILED = 1 << 20  # and of these many characters at most
PATIENCE = 3 << 20  # characters compiled more than once for a notebook, for magics and for cells cut apart
EACH = 500  # what a compilation costs besides, in characters


class Patience:
    """What may still be compiled for one notebook: cells that are no Python, however many, cost seconds at most."""

    def __init__(self, left: int = PATIENCE):
        self.left = left

    def lasts(self, source: str) -> bool:
        """Spend what compiling a source costs, and say whether there was enough."""
        self.left -= len(source) + EACH
        return self.left >= 0


def cell_code(source: str, patience: Patience | None = None) -> str:
    """Return a cell as plain Python: as `without_magics`, and as IPython drops prompts and a common indentation."""
    patience = patience or Patience()
    code, is_python = plain_python(source, patience)
    for change in () if is_python else (_without_prompts, _dedented):
        changed = change(source)
        if changed != source:
            other, is_python = plain_python(changed, patience)
            if is_python:
                return other
    return code


def without_magics(source: str, patience: Patience | None = None) -> str:
    """Return source as plain Python: magics and shell lines do nothing, other lines keep their numbers.

    So do statements outside functions that wait: for an answer to `input` or, by `await`, for an event loop. What they
    assign is None.
    """
    return plain_python(source, patience or Patience())[0]


def plain_python(source: str, patience: Patience) -> tuple[str, bool]:
    """Return what `without_magics` does, and whether that is Python."""
    while source.lstrip().startswith("%%"):
        head, _, body = source.lstrip().partition("\n")
        if head.split()[0] not in BODY_MAGICS:
            return "", True
        source = "#\n" + body if not body.lstrip().startswith("%%") else body
    source, is_python = _without_lines(source, patience)
    return _without_asking(source) if is_python else source, is_python


def compiles(source: str) -> bool:
    """Say whether source is Python."""
    try:
        compile(source, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except NOT_PYTHON:
        return False
    return True


def _without_lines(source, patience):
    """Take out magics where the parser stumbles: elsewhere a line that starts with % may be text, or go on another."""
    lines, code = source.split("\n"), ""
    for tries in range(min(MAX_LINES, MAX_COMPILED // (len(source) + 1) + 1)):
        if tries and not patience.lasts(source):
            break
        code = "\n".join(lines)
        try:
            compile(code, "cell", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
            return code, True
        except SyntaxError as error:
            at = (error.lineno or 0) - 1
            if not (0 <= at < len(lines) and _take_out(lines, at)):
                break
        except NOT_PYTHON:
            return source, False
    for at in range(len(lines)):
        _take_out(lines, at)
    return (plain := "\n".join(lines)), plain != code and compiles(plain)


def _take_out(lines, at):
    line = lines[at]
    if match := TIMED.match(line):
        lines[at] = f"{match[1]}{match[2]}"
    elif match := MAGIC_VALUE.match(line):
        lines[at] = f"{match[1]}{match[2].rstrip()} = None"
    elif match := MAGIC_LINE.match(line):
        lines[at] = f"{match[1] or match[2] or ''}pass"
    else:
        return False
    if lines[at].endswith(("pass", "None")):
        while line.endswith("\\") and at + 1 < len(lines):  # a command that goes on in the next line
            at += 1
            line, lines[at] = lines[at], ""
    return True


def _without_asking(source):
    if not ASKS.search(source):
        return source
    try:
        body = ast.parse(source).body
    except NOT_PYTHON:
        return source
    if "input" in {name for node in body for name in bound_names(node)}:
        return source
    lines, bounds = source.split("\n"), [(0, 0), *((n.lineno, n.end_lineno) for n in body), (len(source) + 2, 0)]
    for node, before, after in zip(body, bounds, bounds[2:], strict=False):
        if isinstance(node, SCOPES) or not _asks(node) or before[1] >= node.lineno or after[0] <= node.end_lineno:
            continue  # the latter two share a line with another statement
        names = sorted(bound_names(node))
        lines[node.lineno - 1] = " = ".join([*names, "None"]) if names else "pass"
        lines[node.lineno : node.end_lineno] = [""] * (node.end_lineno - node.lineno)
    return "\n".join(lines)


SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _asks(node):
    """Say whether a statement waits for somebody, and defines nothing meanwhile."""
    waits, todo = False, [node]
    while todo:
        at = todo.pop()
        if isinstance(at, SCOPES):
            return False
        if isinstance(at, ast.Lambda):
            continue
        waits = waits or isinstance(at, (ast.Await, ast.AsyncFor, ast.AsyncWith))
        waits = waits or (isinstance(at, ast.comprehension) and bool(at.is_async))
        waits = waits or (isinstance(at, ast.Call) and isinstance(at.func, ast.Name) and at.func.id == "input")
        todo.extend(ast.iter_child_nodes(at))
    return waits


def bound_names(node: ast.AST, imports: bool = True) -> set[str]:
    """Return the names that a statement binds where it stands: definitions, assignments and, if wanted, imports."""
    names, todo = set(), [node]
    while todo:
        match todo.pop():
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Name(id=name, ctx=ast.Store()):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names |= {alias or name.split(".")[0]} if imports else set()
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                pass
            case other:
                todo.extend(ast.iter_child_nodes(other))
    return names


def _without_prompts(source):
    lines = source.split("\n")
    if not any(PROMPT.match(line) for line in lines[:5]):
        return source
    return "\n".join(CONTINUED_PROMPT.sub("", line, count=1) for line in lines)


def _dedented(source):
    first = next((line for line in source.split("\n") if line.strip()), "")
    space = first[: len(first) - len(first.lstrip())]
    return "\n".join(line.removeprefix(space) for line in source.split("\n"))
