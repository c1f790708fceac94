"""Python files handed in beside the work: read here, and made modules in the confined process, which imports them."""

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from .. import reading
from ..magics import cell_code
from ..reading import MAX_SOURCE, NOT_PYTHON, Cell, Unreadable
from .handed_in import File

WRITES = re.compile(r"\s*%%(?:write)?file[ \t]+(-a[ \t]+)?(?:\./)?(\w+)\.py[ \t]*\n")
INSTALLED = {*sys.stdlib_module_names, "attnlab", "numpy", "scipy"}  # no file goes before these
FINDER = """
import linecache
import sys
from importlib.machinery import ModuleSpec


class Beside:
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, Beside, origin=f"{name}.py") if name in SOURCES else None

    def create_module(spec):
        return None

    def exec_module(module):
        source, file = SOURCES[module.__name__], f"{module.__name__}.py"
        module.__file__ = file
        linecache.cache[file] = len(source), None, source.splitlines(True), file
        exec(compile(source, file, "exec", dont_inherit=True), module.__dict__)


sys.meta_path.append(Beside)
"""


def written(cells: Iterable[Cell]) -> dict[str, str]:
    """Return the modules that a notebook's own cells write, ``{name: source}``."""
    found: dict[str, str] = {}
    for cell in cells:
        if cell.kind == "code" and (match := WRITES.match(cell.source)):
            before = found.get(match[2], "") if match[1] else ""
            found[match[2]] = before + cell.source[match.end() :].rstrip("\n") + "\n"
    return found


def modules(files: Iterable[File]) -> dict[str, dict[str, str]]:
    """Return the Python files of each folder, or archive, of a hand-in: ``{folder: {name: source}}``."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    left = 4 * MAX_SOURCE
    for file in files:
        name = file.name.stem
        if file.kind != "script" or not name.isidentifier():
            continue
        try:
            if file.place is not None and file.place.stat().st_size > left:
                continue
            data = file.read()
            left -= len(data) + 1000
            source = reading.contents(reading.decode(data, PurePath("a.py")), PurePath("a.py"))
        except (Unreadable, OSError):
            continue
        if isinstance(source, reading.Script):
            found[file.folder][name] = source.source
    return found


def with_modules(chunks: Sequence[tuple[str, str]], there: Mapping[str, str]) -> tuple[tuple, tuple[str, ...]]:
    """Return chunks that can import what of `there` they ask for, and the names of that.

    One statement ahead of all makes the modules known, which are executed when they are imported. A chunk without code
    bears the name of each, so that an error in it is told with its file and line.
    """
    used, todo = {}, [source for _, source in chunks]
    while todo:
        for name in sorted(_imported(todo.pop()) & there.keys() - used.keys() - INSTALLED):
            used[name] = there[name]
            todo.append(there[name])
    if not used or sum(map(len, used.values())) > MAX_SOURCE:
        return tuple(chunks), ()
    known = f"exec(compile({FINDER!r}, '<beside>', 'exec'), {{'__name__': 'beside', 'SOURCES': {used!r}}})\n"
    labels = tuple((f"{name}.py", "") for name in used)
    is_script = any(label.endswith(".py") for label, _ in chunks)  # whose name goes first: it is that of `__file__`
    if is_script:
        return (("beside", known), *chunks, *labels), tuple(used)
    return (("beside", known + "globals().pop('__file__', None)\n"), *labels, *chunks), tuple(used)


def _imported(source):
    """Return the names of modules that a source imports, wherever it does."""
    try:
        nodes = ast.walk(ast.parse(cell_code(source)))
    except NOT_PYTHON:
        return set()
    found = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module)
    return found
