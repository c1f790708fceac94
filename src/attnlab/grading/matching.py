"""Whose is each cell of a notebook that came back: matched with those handed out by id, text, function and place."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ..magics import Patience, bound_names, cell_code, compiles
from ..reading import Cell
from .handed_out import SourceCell, SourceNotebook, names_bound, plain, statements_of

DEFINES = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)|^(\w+)[ \t]*=(?!=)", re.MULTILINE)
FENCED = re.compile(r"\s*```[^\n`]*\n(.*?)\n```\s*", re.DOTALL)  # code in Markdown
SCHEMA = 3  # nbgrader's present one


@dataclass(frozen=True)
class Note:
    """Something the student and the instructor are told: the id of a message, and its facts."""

    message: str
    facts: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Piece:
    """A cell that came back: its text as texts are compared, its code as plain Python, and where it belongs."""

    cell: Cell
    text: str
    code: str = ""
    statements: tuple = ()
    names: frozenset[str] = frozenset()
    marked: bool = False  # it bears the grade id of its home
    home: SourceCell | None = None

    @property
    def is_own(self) -> bool:
        """Whether it differs from what was handed out."""
        return bool(self.text) and (self.home is None or self.text not in self.home.texts)


class Notes:
    """Collects the names of the cells that each message is about."""

    def __init__(self):
        self._found: dict[str, dict[str, None]] = defaultdict(dict)  # names in order, each once

    def add(self, message: str, name: str) -> None:
        """Say that a message is about a cell."""
        self._found[message][name] = None

    def all(self) -> tuple[Note, ...]:
        """Return one note for each message."""
        return tuple(Note(message, {"cells": listed([*names])}) for message, names in self._found.items())


def listed(names: Sequence[str], most: int = 8) -> str:
    """Return names in a row, as a sentence has them; of many only the first."""
    shown = ", ".join(f"`{name}`" for name in names[:most])
    return shown if len(names) <= most else f"{shown}, … ({len(names)})"


# --- whose is it ------------------------------------------------------------------------------------------------------


def matched(source: SourceNotebook, cells: Sequence[Cell], notes: Notes) -> list[Piece]:
    """Find each cell's home: by grade id, cell id or text, but above all by the function that it defines."""
    patience = Patience()
    pieces = [_piece(source, cell, patience) for cell in cells]
    in_code = {n for p in pieces if p.cell.kind == "code" and p.is_own for n in p.names}
    for i, piece in enumerate(pieces):
        found = [name for name in source.by_function if name in piece.names]
        home = piece.home
        if found and (home is None or (home.role == "solution" and not home.names & piece.names)):
            if home is not None:
                notes.add("arrival.moved", found[0])
            home = source.by_function[found[0]]
        if piece.cell.kind != "code" and piece.code and piece.is_own and not (home is not None and home.locked):
            revived = home is not None and home.kind == "code" and not piece.names & in_code
            if revived:
                notes.add("arrival.retyped", home.name)
            else:  # text in which code is quoted or laid aside
                piece, home = _as_text(piece), home if piece.marked else None
        elif home is not None and piece.cell.kind != home.kind:
            lost = home.role == "solution" and home.kind == "code" and piece.is_own and not home.names & in_code
            notes.add("arrival.not_run" if lost else "arrival.retyped", home.name)
        if home is not None and home.kind != "code":
            piece = _as_text(piece)
        pieces[i] = replace(piece, home=home, marked=piece.marked and home is piece.home)
    _match_by_place(source, pieces)
    _tell_of_metadata(source, pieces, notes)
    return pieces


def _grade_id(cell: Cell) -> str:
    """Return the name that nbgrader knows a cell by; empty if it bears none."""
    marks = cell.metadata.get("nbgrader")
    name = marks.get("grade_id") if isinstance(marks, dict) else None
    return name if isinstance(name, str) else ""


def _as_text(piece):
    return replace(piece, code="", statements=(), names=frozenset())


def _piece(source: SourceNotebook, cell: Cell, patience: Patience) -> Piece:
    text = plain(cell.source)
    home = source.by_name.get(_grade_id(cell))
    marked = home is not None
    if home is None:
        home = source.by_text.get(text)
    if home is None and cell.id:
        home = source.by_name.get(cell.id)
        if home is not None and home.kind != cell.kind:  # an id alone does not tell why the cell has another type
            home = None
    if home is not None and text in home.texts:
        return Piece(cell, text, home.source if home.kind == "code" else "", (), home.names, marked, home)
    code = ""
    if cell.kind == "code":
        code = cell_code(cell.source, patience)
    elif "def " in cell.source or (home is not None and home.kind == "code"):
        fenced = FENCED.fullmatch(cell.source) if home is not None and home.role == "solution" else None
        code = cell_code(fenced[1] if fenced else cell.source, patience)
        code = code if compiles(code) else ""
    statements = tuple(statements_of(code))
    return Piece(cell, text, code, statements, _names(code, statements), marked, home)


def _names(code, statements):
    """Return the names that a cell binds, also one that is not Python as it stands."""
    return names_bound(statements) if statements else frozenset(a or b for a, b in DEFINES.findall(code))


def _match_by_place(source: SourceNotebook, pieces: list[Piece]) -> None:
    """Give a solution that nobody claims the one unknown cell with its text, or the one between its neighbours."""
    claimed = {p.home.name for p in pieces if p.home is not None}
    strangers = [i for i, p in enumerate(pieces) if p.home is None]
    where = {p.home.name: i for i, p in enumerate(pieces) if p.home is not None}
    for k, cell in enumerate(source.cells):
        if cell.role != "solution" or cell.name in claimed:
            continue
        before = max((where[c.name] for c in source.cells[:k] if c.name in where), default=-1)
        after = min((where[c.name] for c in source.cells[k + 1 :] if c.name in where), default=len(pieces))
        free = [i for i in strangers if pieces[i].home is None and not pieces[i].names & source.by_function.keys()]
        kin = [i for i in free if _alike(pieces[i].cell.source, cell.shown)]
        near = [i for i in free if before < i < after and pieces[i].cell.kind == cell.kind] if where else []
        for candidates in (kin, near):
            if len(candidates) == 1:
                pieces[candidates[0]] = replace(pieces[candidates[0]], home=cell)
                break


def _alike(text: str, stub: str) -> bool:
    """Say whether most of a stub's lines are still there."""
    ours = {line.strip() for line in stub.split("\n")} - {"", "# YOUR CODE HERE", "raise NotImplementedError()"}
    return len(ours) > 1 and len(ours & {line.strip() for line in text.split("\n")}) > len(ours) / 2


def _tell_of_metadata(source, pieces, notes):
    order = {cell.name: k for k, cell in enumerate(source.cells)}
    theirs = (p.home for p in pieces if p.home is not None and (p.marked or p.home.role != "solution"))
    places = [order[home.name] for home in theirs if home.kind == "code"]  # a new cell may stand anywhere
    if any(a > b for a, b in pairwise(places)):
        notes.add("arrival.reordered", source.name)
    for piece in pieces:
        marks, home = piece.cell.metadata.get("nbgrader"), piece.home
        tags = piece.cell.metadata.get("tags")
        if isinstance(tags, list) and "skip-execution" in tags:
            notes.add("arrival.tags", home.name if home is not None else f"cell {piece.cell.number}")
        if home is None or not home.document["metadata"].get("nbgrader"):
            continue
        if piece.marked and (type(marks.get("schema_version")) is not int or marks["schema_version"] != SCHEMA):
            notes.add("arrival.schema", home.name)
        elif not piece.marked and home.role == "solution" and _grade_id(piece.cell) not in source.by_name:
            notes.add("arrival.recognised", home.name)


# --- which one counts -------------------------------------------------------------------------------------------------


def chosen(source, pieces, notes) -> tuple[list[Piece], dict[str, Piece]]:
    """Let one cell stand for each cell of the source; the rest are the student's own, or copies that say nothing."""
    claims: dict[str, list[Piece]] = defaultdict(list)
    for piece in pieces:
        if piece.home is not None:
            claims[piece.home.name].append(piece)
    standing, dropped = {}, set()
    for name, claimants in claims.items():
        home = source.by_name[name]
        best = _best(home, claimants)
        standing[name] = best
        if sum(p.marked for p in claimants) > 1:
            notes.add("arrival.copies", name)
        for piece in claimants:
            if piece is not best and (home.locked or not piece.is_own):
                dropped.add(id(piece))
    kept = []
    for piece in pieces:
        added = _added(piece, notes) if piece.home is not None and piece.home.locked else None
        both = [piece] if id(piece) not in dropped else []
        if added is not None:
            both.insert(0 if piece.home.role == "check" else 1, added)  # a check comes behind what it is about
        kept += both
    return kept, standing


def _best(home: SourceCell, claimants: list[Piece]) -> Piece:
    """Return the claimant that is the answer: with work in it, with the right id, the last of several."""
    if home.locked:
        return claimants[-1] if home.role == "check" else claimants[0]
    return max(enumerate(claimants), key=lambda p: (p[1].is_own, bool(p[1].names & home.names), p[1].marked, p[0]))[1]


def _added(piece: Piece, notes: Notes) -> Piece | None:
    """Return what a student defined inside a locked cell, as a cell of its own; None if nothing was."""
    if not piece.is_own:
        return None
    notes.add("arrival.restored", piece.home.name)
    if piece.home.kind != "code" or not piece.code:
        return None
    given, blank = set(piece.home.statements), []
    kept = False
    for node, text in piece.statements:
        if text in given or not bound_names(node):
            blank.append(node)
        else:
            kept = True
    if not kept:
        return None
    notes.add("arrival.added", piece.home.name)
    code = blanked(piece.code, blank)
    cell = replace(piece.cell, source=code.strip("\n"), metadata={}, id="", attachments={})
    statements = tuple(statements_of(code))
    return Piece(cell, plain(code), code, statements, _names(code, statements))


def blanked(code: str, nodes: list) -> str:
    """Return code without some statements; other lines keep their numbers."""
    lines = code.split("\n")
    for node in nodes:
        lines[node.lineno - 1 : node.end_lineno] = [""] * (node.end_lineno - node.lineno + 1)
    return "\n".join(lines)
