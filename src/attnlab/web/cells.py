"""A lesson's given cells: what each of them needs of the ones before, and what it shows with right functions."""

import ast
import base64
import contextlib
import hashlib
import io
import json
import re
import struct
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from symtable import symtable

import matplotlib
import numpy as np

from ..authoring.sources import SETUP, Sources
from ..files import write_whole
from .runtime import cache_folder

WIDGETS = re.compile(r"^(explore|quiz)\(", re.MULTILINE)  # cells that only call one of these become a part of the page
COLOURS = 64  # of a picture: enough for charts, and a third of the bytes


@dataclass(frozen=True)
class Baked:
    """What a cell shows when everything is right: what it printed, and a picture."""

    text: str = ""
    picture: bytes = b""

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the picture in pixels, from its header."""
        return struct.unpack(">II", self.picture[16:24])


def widget(source: str) -> str | None:
    """Return ``explore`` or ``quiz`` for a cell that does nothing but call it."""
    found = WIDGETS.search(source)
    return found[1] if found else None


def code(sources: Sources, name: str, lang: str) -> str:
    """Return a cell's own source, as a notebook in that language has it."""
    return re.sub(r"\bLANG\b", f'"{lang}"', sources.cells[name])


def before(sources: Sources, name: str, lang: str) -> str:
    """Return what has to run before a cell so that it can run alone: the statements and cells that it relies on.

    Of the set-up only the statements count whose names are used, and those that bind no name: a cell that draws nothing
    must not wait for matplotlib.
    """
    order = [block.name for block in sources.lessons[lang].of("cell")]
    wanted, chosen = _free(sources.cells[name]), []
    for earlier in reversed(order[: order.index(name)]):
        source = sources.cells[earlier]
        if earlier != SETUP and wanted & _bound(source) and widget(source) is None:
            chosen.insert(0, code(sources, earlier, lang))
            wanted = (wanted - _bound(source)) | _free(source)
    return "\n".join([*_setup(sources.cells.get(SETUP, ""), wanted), *chosen])


def _setup(source, wanted):
    kept = []
    for node in reversed(ast.parse(source).body):
        text = ast.get_source_segment(source, node)
        bound = _bound(text)
        if not bound or bound & wanted:
            kept.insert(0, text)
            wanted = wanted | _free(text)
    return kept


@cache
def _bound(source):
    """Return the names that a piece of source binds at its top level."""
    return frozenset(s.get_name() for s in symtable(source, "cell", "exec").get_symbols() if _is_bound(s))


def _is_bound(symbol):
    return symbol.is_assigned() or symbol.is_imported()


@cache
def _free(source):
    """Return the names that a cell uses before it binds them, as far as its statements in order tell."""
    known, free = set(), set()
    for node in ast.parse(source).body:
        text = ast.get_source_segment(source, node)
        bound = _bound(text)
        inside = bound if isinstance(node, (ast.For, ast.With, ast.If, ast.Try, ast.FunctionDef)) else frozenset()
        free |= _loaded(symtable(text, "cell", "exec")) - known - inside
        known |= bound
    return frozenset(free)


def _loaded(table):
    """Return the module's names that a piece of source looks up, functions and comprehensions in it included."""
    top = table.get_type() == "module"
    names = {s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global())}
    return names.union(*map(_loaded, table.get_children()))


def baked(sources: Sources, solution: str) -> dict[str, Baked]:
    """Return what `bake` does, kept from one build to the next while nothing changes that decides it."""
    path = cache_folder().parent / f"cells-{sources.lab.name}-{_fingerprint(sources, solution)}.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return {name: Baked(text, base64.b64decode(picture)) for name, (text, picture) in kept.items()}
    except (OSError, ValueError):
        shown = bake(sources, solution)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        for old in path.parent.glob(f"cells-{sources.lab.name}-*.json"):
            old.unlink(missing_ok=True)
        write_whole(path, json.dumps({n: (b.text, base64.b64encode(b.picture).decode()) for n, b in shown.items()}))
    return shown


def _fingerprint(sources, solution):
    """Return a digest of all that decides what the cells show."""
    package = resources.files("attnlab")
    told = [solution, json.dumps(sources.cells), np.__version__, matplotlib.__version__, Path(__file__).read_text()]
    for path in (package / "plots.py", sources.lab.folder / "pictures.py", sources.lab.folder / "experiment.py"):
        told.append(path.read_text(encoding="utf-8") if path.is_file() else "")
    return hashlib.sha256("\0".join(told).encode()).hexdigest()[:16]


def bake(sources: Sources, solution: str) -> dict[str, Baked]:
    """Run a lesson's cells in order with right functions, and return what each shows."""
    namespace: dict = {"__name__": "__main__"}
    exec(compile(solution, f"{sources.lab.name}.py", "exec"), namespace)
    shown = {}
    for block in sources.lessons["en"].of("cell"):
        if widget(sources.cells[block.name]) is None:
            shown[block.name] = _run(code(sources, block.name, "en"), block.name, namespace)
    return shown


def _run(source, name, namespace):
    tree, printed = ast.parse(source), io.StringIO()
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, name, "exec"), namespace)
        value = eval(compile(ast.Expression(last.value), name, "eval"), namespace) if last is not None else None
    text = printed.getvalue()
    if value is not None and hasattr(value, "_repr_png_"):
        return Baked(text, _small(value._repr_png_()))
    return Baked(text + (f"{value!r}\n" if value is not None else ""))


def _small(png):
    """Return a picture with fewer colours: the same to the eye."""
    from PIL import Image  # matplotlib's own

    with Image.open(io.BytesIO(png)) as image:
        image = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
        buffer = io.BytesIO()
        image.save(buffer, "PNG", optimize=True)
    return min(buffer.getvalue(), png, key=len)
