"""Submissions as they really arrive: from a student's folder to what is run, what goes on record, and what is told."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

from .. import reading
from ..magics import compiles
from ..reading import Cell, Script, Unreadable
from ..submission import refuse_too_much, script_chunk
from . import beside, handed_in
from .handed_in import File
from .handed_out import SourceNotebook
from .matching import Note, listed
from .repair import Repaired, repair

__all__ = ("Arrival", "Note", "SourceNotebook", "collect")
MAX_CANDIDATES = 20  # files that are opened in search of the work
NEW_CELL = re.compile(r"^# *(?:%%|In ?\[[ \d]*\]:?)", re.MULTILINE)  # scripts that editors made of notebooks


@dataclass(frozen=True)
class Arrival:
    """What came of one source notebook in one submission.

    Attributes
    ----------
    notebook : str
        The source notebook's name.
    path : Path or None
        The file it came from, relative to the submission's folder.
    chunks : tuple of (label, source)
        The student's code in the order it is run, without magics; given cells it builds on as the course has them.
    document : dict or None
        The repaired notebook, format 4.5, without outputs: every cell of the source once, with the source's metadata,
        and the student's own cells.
    notes : tuple of Note
        What was repaired or chosen: for the student's feedback and the instructor's list.
    unreadable : Note or None
        Why nothing could be made of it.
    """

    notebook: str
    path: Path | None = None
    chunks: tuple[tuple[str, str], ...] = ()
    document: dict | None = None
    notes: tuple[Note, ...] = ()
    unreadable: Note | None = None


@dataclass(frozen=True)
class _Work:
    """A file held against a source notebook."""

    file: File
    repaired: Repaired | None = None
    notes: tuple[Note, ...] = ()
    problem: Note | None = None
    there: Mapping[str, str] = field(default_factory=dict)

    @property
    def answered(self) -> int:
        return self.repaired.answered if self.repaired is not None else 0


def collect(folder: Path, sources: Sequence[SourceNotebook]) -> tuple[Arrival, ...]:
    """Return what a student handed in for each source notebook, repaired where that is safe.

    Never raises for anything that a student can hand in.

    Parameters
    ----------
    folder : Path
        The student's folder of the assignment.
    sources : sequence of SourceNotebook
        What was handed out.
    """
    try:
        files, others = handed_in.look(folder)
    except OSError as error:
        why = Note("arrival.no_folder", {"path": folder.name, "why": error.strerror or type(error).__name__})
        return tuple(Arrival(source.name, unreadable=why) for source in sources)
    arrivals = []
    for source in sources:
        try:
            arrivals.append(_arrival(source, sources, files, others))
        except (Exception, RecursionError, MemoryError) as error:  # one submission must never stop a class
            arrivals.append(Arrival(source.name, unreadable=Note("arrival.trouble", {"type": type(error).__name__})))
    return tuple(arrivals)


def _arrival(source, sources, files, others) -> Arrival:
    name = handed_in.compared(source.name)
    ranked = sorted(files, key=lambda f: (f.stem != name, f.kind != "notebook", f.depth, f.kind != "script", f.shown))
    theirs = {handed_in.compared(s.name) for s in sources} - {name}
    exact = [f for f in ranked if f.stem == name and f.kind == "notebook"]
    there = beside.modules(ranked)
    tried = [_work(source, exact[0], there)] if exact else []
    if not tried or not tried[0].answered:  # an untouched or broken one may lie beside the work
        tried += [_work(source, f, there) for f in ranked[len(tried) : MAX_CANDIDATES]]
    chosen = _choice(tried, bool(exact), len(sources) == 1, theirs)
    if chosen is None:
        kinds = ", ".join(f"`{shown}`" for shown in others[:5])
        problem = Note("arrival.other_files", {"name": source.name, "names": kinds}) if others else None
        problem = problem or Note("arrival.nothing", {"name": source.name})
        failed = next((w for w in tried if w.problem is not None and _was_meant(w, theirs)), None)
        return Arrival(
            source.name, failed.file.path if failed else None, unreadable=failed.problem if failed else problem
        )
    if chosen.repaired is None:
        return Arrival(source.name, chosen.file.path, unreadable=chosen.problem)
    chunks, used = beside.with_modules(chosen.repaired.chunks, chosen.there)
    spoken_of = {chosen.file.shown, *(f"{chosen.file.folder}{name}.py" for name in used)}
    rest = [f for f in ranked if f.shown not in spoken_of and f.kind != "text" and f.stem not in theirs]
    notes = (*_choice_notes(source, chosen.file, rest), *chosen.notes, *chosen.repaired.notes)
    notes += (Note("arrival.beside", {"names": listed([f"{name}.py" for name in used])}),) if used else ()
    return Arrival(source.name, chosen.file.path, chunks, chosen.repaired.document, notes)


def _was_meant(work: _Work, theirs: set[str]) -> bool:
    """Say whether a file that cannot be read is likely to be the work: not a note, nor another source's."""
    return work.file.stem not in theirs and not (work.file.kind == "text" and work.problem.message.startswith("read."))


def _choice(tried: list[_Work], exact: bool, alone: bool, theirs: set[str]) -> _Work | None:
    """Choose the work: the file with the right name if there is work in it, else the newest that answers most.

    Of files without answers only one that bears the right name, or the only notebook of the only source, is meant.
    """
    if exact and tried[0].answered:
        return tried[0]
    answering = [w for w in tried if w.answered]
    if answering:
        return max(answering, key=lambda w: (w.answered, w.file.modified, w.file.shown))
    if exact:
        return next((w for w in tried if w.repaired is not None and w.file.stem == tried[0].file.stem), tried[0])
    readable = [w for w in tried if w.repaired is not None and w.file.kind != "text" and w.file.stem not in theirs]
    return max(readable, key=lambda w: (w.file.modified, w.file.shown)) if readable and alone else None


def _choice_notes(source: SourceNotebook, file: File, rest: list[File]):
    if rest:
        names = ", ".join(f"`{other.shown}`" for other in rest[:5]) + (f", … ({len(rest)})" if len(rest) > 5 else "")
        yield Note("arrival.chosen", {"path": file.shown, "others": names})
    if file.archive:
        yield Note("arrival.archive", {"path": file.name.as_posix(), "archive": file.archive})
    if file.kind == "notebook" and not file.archive and file.shown != f"{source.name}.ipynb" and not rest:
        yield Note("arrival.renamed", {"path": file.shown, "name": source.name})


def _work(source: SourceNotebook, file: File, there: Mapping[str, Mapping[str, str]]) -> _Work:
    """Read a file and hold it against a source notebook."""
    try:
        modules = {n: text for n, text in there.get(file.folder, {}).items() if f"{n}.py" != file.name.name}
        path = file.name
        meant = path.with_suffix(".py") if file.kind == "script" else path
        found = reading.contents(reading.decode(file.read(), meant), meant)
        if isinstance(found, Script):
            label, code = script_chunk(found.source, path)
            repaired = repair(source, _script_cells(code), label, modules)
            if file.kind == "text" and not repaired.answered:
                raise Unreadable("arrival.nothing", name=source.name)
            return _Work(file, repaired, (Note("arrival.script", {"path": file.shown}),), there=modules)
        refuse_too_much("".join(cell.source for cell in found.cells if cell.kind == "code"), path)
        if not found.cells:
            raise Unreadable("arrival.no_cells", path=file.shown)
        notes = []
        if found.format != 4:
            notes.append(Note("arrival.format", {"path": file.shown, "format": found.format or "?"}))
        if found.repeats_keys:
            notes.append(Note("arrival.repeats_keys", {"path": file.shown}))
        modules |= beside.written(found.cells)
        return _Work(file, repair(source, found.cells, there=modules), tuple(notes), there=modules)
    except Unreadable as problem:
        return _Work(file, problem=Note(problem.message, problem.facts))


def _script_cells(code: str) -> tuple[Cell, ...]:
    """Return a script as cells: one, or those of the notebook that an editor made it from. Lines keep their numbers."""
    starts = [match.start() for match in NEW_CELL.finditer(code)]
    whole = (Cell("code", code, 1),)
    if len(starts) < 2:
        return whole
    bounds = [0, *starts, len(code)]
    parts = [(code[a:b], code.count("\n", 0, a)) for a, b in pairwise(bounds)]
    cells = [Cell("code", "\n" * line + part, n) for n, (part, line) in enumerate(parts, 1) if part.strip()]
    return tuple(cells) if all(compiles(cell.source) for cell in cells) else whole
