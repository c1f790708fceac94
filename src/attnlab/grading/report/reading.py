"""The records that the grader left, read with suspicion: a damaged one is told of and costs no other its place."""

import gc
import json
import os
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from ... import labs, texts
from ...submission import UsageError
from ..records import VERSION

FOLDER = ".attnlab"
LARGEST = 1e9  # points
OUTCOMES = frozenset(("passed", "failed", "stale", "error", "todo", "missing", "timeout", "died"))


@dataclass(frozen=True)
class Told:
    """A sentence by its id and facts."""

    message: str
    facts: dict

    def say(self, lang: str) -> str:
        """Return the sentence; of an id that is not known here, the id and the facts."""
        for lab in (None, *labs.LABS):
            try:
                return texts.say(lang, self.message, self.facts, lab)
            except (KeyError, IndexError, ValueError):
                continue
        facts = ", ".join(f"{name}: {texts.show(value)}" for name, value in self.facts.items())
        return texts.visible(f"{self.message} ({facts})" if facts else self.message)


@dataclass(frozen=True)
class Check:
    """One check of one student."""

    id: str
    part: str
    title: str
    outcome: str
    score: float
    max_score: float
    bonus: bool
    message: str


@dataclass(frozen=True)
class Part:
    """One part of one student."""

    name: str
    status: str
    score: float
    max_score: float
    bonus: bool
    misconception: str | None
    right_given_right_helpers: bool | None = None


@dataclass(frozen=True)
class Notebook:
    """One notebook of one student. `checks` and `parts` are empty where nothing was judged."""

    name: str
    lab: str | None
    unreadable: Told | None
    notes: tuple[Told, ...]
    parts: tuple[Part, ...] = ()
    checks: tuple[Check, ...] = ()
    behaviour: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Record:
    """One student's assignment as it was graded. `score` includes what was marked by hand, before the penalty."""

    student: str
    timestamp: str | None
    score: float
    max_score: float
    late_penalty: float
    manual: bool
    retried: bool
    notebooks: tuple[Notebook, ...]

    @property
    def final(self) -> float:
        """The score after the late penalty, as nbgrader exports it."""
        return max(0.0, self.score - self.late_penalty)


@dataclass(frozen=True)
class Damaged:
    """A record that cannot be used."""

    file: str
    why: Told


@dataclass(frozen=True)
class Assignment:
    """What there is of one assignment. `waiting` are students who handed in and have no record yet."""

    name: str
    records: tuple[Record, ...]
    damaged: tuple[Damaged, ...] = ()
    waiting: tuple[str, ...] = ()


class Unusable(Exception):
    """A record does not hold what it should."""


def assignments(course: Path, wanted: str | None) -> list[str]:
    """Return the names of the assignments to report on: the wanted one, or all that have been graded.

    Raises
    ------
    UsageError
        If there is no such course or assignment.
    """
    try:
        if not course.exists():
            raise UsageError("overview.no_course", path=course)
        if not course.is_dir():
            raise UsageError("overview.no_folder", path=course)
        folder = course / FOLDER
        found = sorted(p.name for p in folder.iterdir() if p.is_dir() and p.name[:1] != ".") if folder.is_dir() else []
    except OSError as error:
        raise UsageError("read.denied", path=error.filename or course, why=error.strerror or "") from None
    if wanted is None:
        return found
    if wanted not in found:
        if found:
            raise UsageError("overview.no_assignment", name=wanted, names=", ".join(found))
        return []
    return [wanted]


def read(course: Path, name: str) -> Assignment:
    """Return everything there is of one assignment, students in the order of their ids."""
    folder = course / FOLDER / name
    try:
        files = sorted(e.name for e in os.scandir(folder) if e.name.endswith(".json") and e.name[0] not in "._")
    except OSError as error:
        raise UsageError("read.denied", path=folder, why=error.strerror or type(error).__name__) from None
    records, damaged = [], []
    with _no_collecting():
        for file in files:
            try:
                records.append(record(_document(folder / file), name))
            except Unusable as error:
                damaged.append(Damaged(file, error.args[0]))
    known = {r.student for r in records} | {d.file.removesuffix(".json") for d in damaged}
    return Assignment(name, tuple(records), tuple(damaged), _waiting(course / "submitted", name, known))


@contextmanager
def _no_collecting():
    """Keep the garbage collector from walking through all records again and again: there are no cycles to find."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _waiting(submitted, name, known):
    try:
        students = [entry.name for entry in os.scandir(submitted) if entry.is_dir() and entry.name[0] != "."]
    except OSError:
        return ()
    return tuple(s for s in sorted(students) if s not in known and (submitted / s / name).is_dir())


def _document(path):
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Unusable(Told("overview.record_denied", {"why": error.strerror or type(error).__name__})) from None
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Unusable(Told("overview.record_not_json", {"line": getattr(error, "lineno", 1)})) from None


# --- from plain data, nothing of which is taken on trust --------------------------------------------------------------


def record(data: object, assignment: str) -> Record:
    """Return a record from what its file holds; `Unusable` with a sentence if that is no record."""
    data = _table(data, "record")
    version = data.get("version")
    if version != VERSION:
        raise Unusable(Told("overview.record_version", {"version": str(version)[:20]}))
    if _text(data, "assignment") != assignment:
        raise Unusable(Told("overview.record_elsewhere", {"name": data["assignment"][:60]}))
    return Record(
        _text(data, "student"),
        None if data.get("timestamp") is None else _text(data, "timestamp"),
        _number(data, "score"),
        _number(data, "max_score"),
        _number(data, "late_penalty"),
        bool(data.get("manual")),
        bool(data.get("retried")),
        tuple(_notebook(_table(item, "notebooks")) for item in _list(data, "notebooks")),
    )


def _notebook(data):
    report = data.get("report")
    parts, checks = _report(_table(report, "report")) if report is not None else ((), ())
    lab = data.get("lab")
    behaviour = _table(data.get("behaviour") or {}, "behaviour")
    return Notebook(
        _text(data, "name"),
        lab if lab is None else _text(data, "lab"),
        None if data.get("unreadable") is None else _told(data["unreadable"]),
        tuple(map(_told, _list(data, "notes"))),
        parts,
        checks,
        {str(part): digest for part, digest in behaviour.items() if isinstance(digest, str)},
    )


def _report(data):
    parts = []
    for name, part in _table(data.get("functions"), "functions").items():
        part = _table(part, "functions")
        misconception = part.get("misconception")
        parts.append(
            Part(
                name, _outcome(part, "status"), _number(part, "score"), _number(part, "max_score"),
                bool(part.get("bonus")), misconception if isinstance(misconception, str) else None,
                {True: True, False: False}.get(part.get("right_given_right_helpers")),
            )
        )  # fmt: skip
    checks = []
    for check in _list(data, "checks"):
        check = _table(check, "checks")
        checks.append(
            Check(
                _text(check, "id"), _text(check, "function"), _text(check, "title"), _outcome(check, "outcome"),
                _number(check, "score"), _number(check, "max_score"), bool(check.get("bonus")), _text(check, "message"),
            )
        )  # fmt: skip
    return tuple(parts), tuple(checks)


def _told(data):
    data = _table(data, "notes")
    return Told(_text(data, "message"), _table(data.get("facts", {}), "facts"))


def _wrong(entry):
    return Unusable(Told("overview.record_entry", {"entry": entry}))


def _table(value, entry):
    if not isinstance(value, dict):
        raise _wrong(entry)
    return value


def _list(data, entry):
    value = data.get(entry)
    if not isinstance(value, list):
        raise _wrong(entry)
    return value


def _text(data, entry):
    value = data.get(entry)
    if not isinstance(value, str):
        raise _wrong(entry)
    return value


def _outcome(data, entry):
    value = data.get(entry)
    if not isinstance(value, str) or value not in OUTCOMES:
        raise _wrong(entry)
    return value


def _number(data, entry):
    value = data.get(entry)
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:  # nor NaN
        raise _wrong(entry)
    return float(value)
