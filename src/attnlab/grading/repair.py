"""A notebook as it came back, held against the one handed out: whose is each cell, what counts, what goes on record."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from ..reading import Cell
from ..submission import whole_cells
from .beside import WRITES
from .handed_out import SourceCell, SourceNotebook, names_answered, names_wanted
from .matching import Note, Notes, blanked, chosen, matched

CELL_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
OF_THE_COURSE = ("nbgrader", "attnlab", "tags", "deletable", "editable")  # metadata: only the source's count
WITH_A_SCHEMA = ("collapsed", "scrolled", "format", "name", "jupyter", "execution")  # a wrong type would be refused
OF_NOTEBOOKS = ("arrival.recognised", "arrival.put_back")  # no news of a script
MAX_DEPTH = 12  # of metadata


@dataclass(frozen=True)
class Repaired:
    """What came of a notebook: see `attnlab.grading.arrivals.Arrival`. `answered` counts the functions worked on."""

    chunks: tuple[tuple[str, str], ...]
    document: dict
    notes: tuple[Note, ...]
    answered: int


def repair(source: SourceNotebook, cells: Sequence[Cell], label: str = "", there: Collection[str] = ()) -> Repaired:
    """Match cells with those of the source, and put back or leave out what is not the student's to decide.

    Parameters
    ----------
    source : SourceNotebook
        What was handed out.
    cells : sequence of Cell
        What came back.
    label : str
        What to call code in messages about it; by default the number of its cell.
    there : collection of str
        Modules handed in beside it: an import of something else is no answer.
    """
    notes = Notes()
    pieces = matched(source, cells, notes)
    pieces, standing = chosen(source, pieces, notes)
    entries = _entries(source, pieces, standing, notes, label, there)
    entries = _with_missing(source, _whole(source, entries, notes), notes)
    chunks = _chunks(source, entries)
    named = set().union(*(_answers(e, there) for e in entries if e.own)) & source.by_function.keys()
    answered = {source.by_function[name].name for name in named}
    answered |= {
        p.home.name
        for p in standing.values()
        if p.home.role == "solution" and p.is_own and (not p.names or _answers(p, there))
    }
    told = tuple(n for n in notes.all() if not label or n.message not in OF_NOTEBOOKS)
    return Repaired(chunks, _document(source, entries), told, len(answered))


def _answers(one, there):
    """Return the names that a cell answers for: of one that is no Python, those that it seems to define."""
    return names_answered(one.statements, there) if one.statements else one.names


# --- what is run and what goes on record ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Entry:
    """A cell of the repaired notebook. `code` is what is run of it, labelled; `own` says that the student wrote it.

    `missing` says that nothing of it came back.
    """

    document: dict
    home: SourceCell | None
    label: str = ""
    code: str = ""
    raw: str = ""
    statements: tuple = ()
    names: frozenset[str] = frozenset()
    own: bool = False
    missing: bool = False


def _entries(source, pieces, standing, notes, label, there) -> list[_Entry]:
    entries, used = [], {cell.document["id"] for cell in source.cells}
    answered = {name for piece in pieces if piece.code and piece.is_own for name in piece.names}
    for number, piece in enumerate(pieces, 1):
        home = piece.home if piece.home is not None and standing[piece.home.name] is piece else None
        if home is not None and (home.locked or not piece.is_own):
            if home.role != "solution" or not home.names or not home.names <= answered:
                entries.append(_given(home))  # else the stub is put back in front of the answer, which then counts
            continue
        kind = home.kind if home is not None else "code" if piece.code else piece.cell.kind
        own = bool(piece.code.strip()) and kind == "code"
        name = label or (f"cell {piece.cell.number}" if piece.cell.number else f"`{home.name}`" if home else "cell")
        document = _cell(kind, piece.cell, home)
        if label:  # of a script, whose lines keep their numbers by blank lines ahead of them
            document["source"] = document["source"].strip("\n")
        if home is None:
            cell_id = piece.cell.id if CELL_ID.fullmatch(piece.cell.id) else f"own-{number}"
            while cell_id in used:
                cell_id = f"{cell_id[:50]}-{number}"
            document["id"] = cell_id
            used.add(cell_id)
        writes = WRITES.match(piece.cell.source)
        if (
            kind == piece.cell.kind == "code"
            and piece.code.strip() != piece.cell.source.strip()
            and not (writes and writes[2] in there)
        ):
            notes.add("arrival.magics", name)
        entries.append(_Entry(document, home, name, piece.code, piece.cell.source, piece.statements, piece.names, own))
    return entries


def _given(home: SourceCell) -> _Entry:
    return _Entry(home.document, home, home.name, home.source if home.kind == "code" else "", names=home.names)


def _cell(kind: str, cell: Cell, home: SourceCell | None) -> dict:
    """Return a student's cell in notebook format 4.5."""
    metadata = home.document["metadata"] if home is not None else {}
    theirs = {k: v for k, v in cell.metadata.items() if k not in metadata and k not in OF_THE_COURSE + WITH_A_SCHEMA}
    document = {
        "cell_type": kind,
        "id": home.document["id"] if home is not None else "",
        "metadata": metadata | (_tame(theirs, MAX_DEPTH) or {}),
        "source": cell.source,
    }
    if kind == "code":
        document |= {"execution_count": None, "outputs": []}
    elif cell.attachments and all(map(_is_picture, cell.attachments.values())):
        document["attachments"] = cell.attachments
    return document


def _is_picture(bundle):
    return isinstance(bundle, dict) and all(isinstance(data, str) for data in bundle.values())


def _tame(value, depth):
    """Return JSON that every program can read and write again: not too deep, finite numbers, whole characters."""
    if isinstance(value, dict):
        return {k: _tame(v, depth - 1) for k, v in value.items() if k.isprintable()} if depth else None
    if isinstance(value, list):
        return [_tame(v, depth - 1) for v in value] if depth else None
    if isinstance(value, float):
        return value if abs(value) < float("inf") else None
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    return value if value is None or isinstance(value, (bool, int)) else None


def _whole(source: SourceNotebook, entries: list[_Entry], notes: Notes) -> list[_Entry]:
    """Return the cells with functions that were cut apart in one piece again, and no locked cell run inside another.

    Pieces are looked for in cells that stand together, with nothing else between them.
    """
    found: list[_Entry] = []
    for own, group in groupby(entries, key=lambda e: e.own):
        run = list(group)
        if not own:
            found += run
            continue
        wholes = whole_cells([_without_locked(source, entry, notes) for entry in run])
        ends = [start for start, _ in wholes[1:]] + [len(run)]
        for (start, code), end in zip(wholes, ends, strict=True):
            entry = replace(run[start], code=code)
            if end - start > 1:
                notes.add("arrival.split", entry.label)
                text = "\n".join(piece.document["source"] for piece in run[start:end])
                entry = replace(entry, document=entry.document | {"source": text})
            found.append(entry)
    return found


def _without_locked(source: SourceNotebook, entry: _Entry, notes: Notes) -> str:
    """Return the code of a cell without locked cells that were merged into it."""
    texts = [text for _, text in entry.statements]
    if len(texts) < 2:
        split = entry.raw.lstrip("\n")[:1] in (" ", "\t")  # perhaps the rest of a function: it needs its indentation
        return entry.raw if split else entry.code
    taken, there = [], set(texts)
    for cell in source.cells:
        size = len(cell.statements)
        if cell.locked and size and there.issuperset(cell.statements):
            for i in range(len(texts) - size + 1):
                if tuple(texts[i : i + size]) == cell.statements:
                    taken += [node for node, _ in entry.statements[i : i + size]]
    if taken:
        notes.add("arrival.merged", entry.label)
    return blanked(entry.code, taken)


def _with_missing(source: SourceNotebook, entries: list[_Entry], notes: Notes) -> list[_Entry]:
    """Put back what is missing.

    A solution goes in front of the cell that holds its answer, whose definition then counts; a check goes behind the
    answer, and as late as the order of the source allows; anything else goes where it was.
    """
    entries = list(entries)
    there = {e.home.name for e in entries if e.home is not None}
    for k, cell in enumerate(source.cells):
        if cell.name in there:
            continue
        present = {e.home.name: i for i, e in enumerate(entries) if e.home is not None}
        if cell.locked:
            notes.add("arrival.put_back", cell.name)
        answers = [i for i, e in enumerate(entries) if e.own and cell.role == "solution" and e.names & cell.names]
        if answers:
            place = answers[0]
        elif cell.role == "check":
            uses = names_wanted(cell.source) & source.by_function.keys()
            answered = max((i + 1 for i, e in enumerate(entries) if e.own and e.names & uses), default=0)
            place = next((present[c.name] for c in source.cells[k + 1 :] if c.name in present), len(entries))
            place = max(place, answered)
        else:
            place = present[source.cells[k - 1].name] + 1 if k else 0
        entries.insert(place, replace(_given(cell), missing=True))
    return entries


def _chunks(source: SourceNotebook, entries: list[_Entry]) -> tuple[tuple[str, str], ...]:
    """Return what is run: the student's own cells in their order, and of the given ones those they build on."""
    own = [e for e in entries if e.own]
    defined = frozenset().union(*(e.names for e in own))
    wanted = set().union(*(names_wanted(e.code) for e in own))
    first = next((k for k, cell in enumerate(source.cells) if cell.role == "solution"), len(source.cells))
    early = {cell.name for cell in source.cells[:first]}  # what everything may rely on comes first, wherever it stands
    given = [e for e in entries if e.home is not None and not e.own and e.home.kind == "code"]
    needed = {
        e.home.name
        for e in given
        if e.home.role == "solution" and not e.missing and not (e.names and e.names <= defined)
    }  # stubs left as they were are run, so that what is still to do is told from what is missing
    for entry in reversed(given):
        home = entry.home
        if home.role in ("given", "free") and home.names & (wanted if home.name in early else wanted - defined):
            needed.add(home.name)
            wanted |= names_wanted(home.source)
    place = {cell.name: k for k, cell in enumerate(source.cells)}
    early |= {cell.name for cell in source.cells if cell.role == "solution"}  # no stub hides what was defined unseen
    start = sorted((e for e in given if e.home.name in needed & early), key=lambda e: place[e.home.name])
    chunks = [(e.label, e.code) for e in start]
    run = (e for e in entries if e.own or (e.home is not None and e.home.name in needed - early))
    chunks += [(e.label, e.code) for e in run]
    return tuple((label, code) for label, code in chunks if code.strip())


def _document(source: SourceNotebook, entries: list[_Entry]) -> dict:
    return {
        "cells": [entry.document for entry in entries],
        "metadata": source.released["metadata"],
        "nbformat": 4,
        "nbformat_minor": 5,
    }
