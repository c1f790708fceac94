"""What a class was given: the source notebooks of an assignment, prepared once for matching every submission."""

import ast
import symtable
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from ..magics import bound_names, without_magics
from ..reading import NOT_PYTHON
from ..submission import UsageError


@dataclass(frozen=True)
class SourceCell:
    """One cell of a source notebook.

    Attributes
    ----------
    name : str
        Its grade id; for a cell without one its cell id.
    role : str
        ``solution`` (students write here), ``check`` (locked, gives points or feedback), ``given`` (locked) or
        ``free`` (anybody's: nbgrader takes what was handed in).
    kind : str
        ``code``, ``markdown`` or ``raw``.
    source : str
        As graders have it: answers taken out, hidden tests still in.
    shown : str
        As students got it.
    document : dict
        The cell as it stands in an autograded notebook.
    texts : frozenset of str
        Both texts as they are compared.
    names : frozenset of str
        What it binds at the top level.
    statements : tuple of str
        The text of its statements, as students got them.
    """

    name: str
    role: str
    kind: str
    source: str
    shown: str
    document: dict
    texts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()
    statements: tuple[str, ...] = ()

    @property
    def locked(self) -> bool:
        """Whether the course's text counts, whatever was handed in."""
        return self.role in ("check", "given")


@dataclass(frozen=True)
class SourceNotebook:
    """A source notebook, its answers taken out. Plain data: it can be sent to workers.

    Attributes
    ----------
    name : str
        Its name without the suffix, as the gradebook has it.
    document : dict
        The notebook as the instructor wrote it, in format 4.5.
    released : dict
        The same as an untouched submission looks to a grader: answers taken out, hidden tests still in.
    cells : tuple of SourceCell
    """

    name: str
    document: dict
    released: dict
    cells: tuple[SourceCell, ...]

    def __repr__(self):  # else each failing test would print the whole lesson
        return f"<source notebook {self.name}>"

    @classmethod
    def load_all(cls, folder: Path, config=None) -> tuple["SourceNotebook", ...]:
        """Return the source notebooks of an assignment, in the order of their names.

        Parameters
        ----------
        folder : Path
            The assignment's folder below ``source/``.
        config : traitlets.config.Config, optional
            The course's: it may change the marks around answers and hidden tests.

        Raises
        ------
        UsageError
            If one cannot be used.
        """
        loaded = []
        for path in sorted(p for p in folder.glob("*.ipynb") if not p.name.startswith(".")):
            try:
                loaded.append(prepared(path.stem, path.read_text(encoding="utf-8-sig"), config))
            except Exception as error:  # nbformat and nbgrader refuse with whatever they stumble over
                why = str(error).strip().partition("\n")[0] or type(error).__name__
                raise UsageError("arrival.bad_source", path=path, why=why) from None
        return tuple(loaded)

    @cached_property
    def by_name(self) -> dict[str, SourceCell]:
        """The cells by name."""
        return {cell.name: cell for cell in self.cells}

    @cached_property
    def by_function(self) -> dict[str, SourceCell]:
        """The solution cell of each name that one is to define."""
        return {name: c for c in self.cells if c.role == "solution" and c.kind == "code" for name in c.names}

    @cached_property
    def by_text(self) -> dict[str, SourceCell]:
        """The cells by their text, that of graders and that of students; text that several cells share is left out."""
        found: dict[str, SourceCell | None] = {}
        for cell in self.cells:
            for text in cell.texts - {""}:
                found[text] = None if found.get(text, cell) is not cell else cell
        return {text: cell for text, cell in found.items() if cell is not None}

    @cached_property
    def points(self) -> dict[str, float]:
        """The points of each cell that has any."""
        marked = {c.name: c.document["metadata"].get("nbgrader", {}).get("points") for c in self.cells}
        return {name: float(points) for name, points in marked.items() if points is not None}


def prepared(name: str, text: str, config=None, *, released: bool = False) -> SourceNotebook:
    """Prepare one notebook: the instructor's, or with `released` the one that students got.

    nbgrader's own steps take the answers out, lock cells and compute checksums, as when it records the assignment.
    """
    import nbformat  # these imports take seconds: once for a class, and never in a worker
    from nbgrader.nbgraderformat import MetadataValidator
    from nbgrader.preprocessors import ClearHiddenTests, ClearMarkScheme, ClearSolutions, ComputeChecksums, LockCells

    def through(notebook, *steps):
        for step in steps:
            notebook, _ = step(config=config).preprocess(notebook, {})
        return notebook

    notebook = MetadataValidator().upgrade_notebook_metadata(nbformat.reads(text, as_version=4))
    notebook.nbformat_minor = 5
    _, notebook = nbformat.validator.normalize(notebook, strip_invalid_metadata=True)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    document = _plain_data(notebook)
    answers = [cell.source if cell.cell_type == "code" else "" for cell in notebook.cells]
    steps = (LockCells, ComputeChecksums) if released else (ClearSolutions, LockCells, ComputeChecksums)
    notebook = through(notebook, *steps)
    MetadataValidator().validate_nb(notebook)
    untouched = _plain_data(notebook)
    shown = through(notebook, ClearHiddenTests, ClearMarkScheme)
    cells = tuple(map(_source_cell, untouched["cells"], shown.cells, answers))
    return SourceNotebook(name, document, untouched, cells)


def _plain_data(value):
    """Return NotebookNodes as plain dicts, which are faster to copy and to send."""
    if isinstance(value, dict):
        return {key: _plain_data(item) for key, item in value.items()}
    return [_plain_data(item) for item in value] if isinstance(value, list) else value


def _source_cell(document, shown, answer):
    marks = document["metadata"].get("nbgrader", {})
    ours = document["metadata"].get("attnlab", {})
    if marks.get("solution"):
        role = "solution"
    elif marks.get("grade") or ours.get("role") == "check":
        role = "check"
    else:
        role = "given" if marks.get("locked") or marks.get("task") else "free"
    name = marks.get("grade_id") or document["id"]
    names, statements = frozenset(), ()
    if document["cell_type"] == "code":
        names = names_bound(statements_of(without_magics(document["source"])))
        if role == "solution" and not names:  # the whole cell is the answer
            defined = (node for node, _ in statements_of(without_magics(answer)))
            names = frozenset(node.name for node in defined if isinstance(node, ast.FunctionDef | ast.ClassDef))
        statements = tuple(text for _, text in statements_of(without_magics(shown.source)))
    source, kind = document["source"], document["cell_type"]
    texts = frozenset(map(plain, (source, shown.source)))
    return SourceCell(name, role, kind, source, shown.source, document, texts, names, statements)


def plain(text: str) -> str:
    """Return text as it is compared: without blanks at the ends of its lines, and blank lines around it."""
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def statements_of(source: str) -> list[tuple[ast.stmt, str]]:
    """Return the top-level statements of a cell, each with its text; none if it is not Python."""
    try:
        body = ast.parse(source).body
    except NOT_PYTHON:
        return []
    lines = source.split("\n")
    starts = [min([n.lineno, *(d.lineno for d in getattr(n, "decorator_list", ()))]) for n in body]
    return [(n, plain("\n".join(lines[s - 1 : n.end_lineno]))) for n, s in zip(body, starts, strict=True)]


def names_bound(statements: Iterable[tuple[ast.stmt, str]]) -> frozenset[str]:
    """Return the names that statements bind at the top level."""
    return frozenset().union(*(bound_names(node) for node, _ in statements))


def names_answered(statements: Iterable[tuple[ast.stmt, str]], there: Collection[str]) -> frozenset[str]:
    """Return the names that statements define, or import from the modules that are `there`."""
    known = (n for n, _ in statements if isinstance(n, ast.ImportFrom) and not n.level and n.module in there)
    defined = (bound_names(node, imports=False) for node, _ in statements)
    return frozenset().union(*defined, *map(bound_names, known))


def names_wanted(source: str) -> set[str]:
    """Return the names that a cell looks up outside its functions, whether or not it binds them itself."""
    try:
        tables = [symtable.symtable(source, "cell", "exec")]
    except NOT_PYTHON:
        return set()
    wanted = set()
    while tables:
        table = tables.pop()
        tables.extend(table.get_children())
        top = table.get_type() == "module"
        wanted |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global())}
    return wanted
