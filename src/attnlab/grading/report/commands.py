"""What `attnlab report` does: reads, counts, and hands on in the format asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ... import texts
from ...submission import UsageError
from ..secret import course_secret
from . import as_csv
from .anonymous import anonymous, pseudonym
from .reading import assignments, read
from .statistics import Overview, overview

GRADEBOOK, SECRET = "gradebook.db", ".secret"


@dataclass(frozen=True)
class Class:
    """The assignments of a course, counted. `key` makes pseudonyms; None leaves ids as they are."""

    course: Path
    overviews: tuple[Overview, ...]
    key: str | None


def load(course: Path, assignment: str | None, hide: bool) -> Class:
    """Return what there is to report on.

    Raises
    ------
    UsageError
        If there is no such course or assignment, nothing that was graded, or no secret for pseudonyms.
    """
    names = assignments(course, assignment)
    if not names:
        raise UsageError("overview.nothing_graded", path=course)
    found = [read(course, name) for name in names]
    if not any(entry.records or entry.damaged for entry in found):
        raise UsageError("overview.nothing_graded", path=course)
    key = _key(course) if hide else None
    if key is not None:
        found = [anonymous(entry, key) for entry in found]
    return Class(course, tuple(map(overview, found)), key)


def _key(course):
    try:
        return course_secret(course / SECRET)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        raise UsageError("overview.no_key", path=course / SECRET, why=why) from None


def table(found: Class, db_url: str | None, lang: str) -> tuple[str, list[str]]:
    """Return the CSV, and sentences about what it leaves out."""
    recorded = [row for entry in found.overviews for row in as_csv.of_records(entry.assignment)]
    said = [
        texts.say(lang, "overview.damaged_record", {"file": damaged.file, "why": damaged.why.say(lang)})
        for entry in found.overviews
        for damaged in entry.assignment.damaged
    ]
    path = found.course / GRADEBOOK
    if db_url is None and not path.is_file():
        return as_csv.dumps(recorded), said
    names = [entry.assignment.name for entry in found.overviews]
    try:
        known = as_csv.of_gradebook(db_url or f"sqlite:///{path.resolve()}", names)
    except ModuleNotFoundError:
        known, said = [], [*said, texts.say(lang, "overview.no_nbgrader")]
    except as_csv.BadGradebook as error:
        known, said = [], [*said, texts.say(lang, "overview.bad_gradebook", {"why": str(error)})]
    if found.key is not None:
        known = _hidden(known, found.key)
    return as_csv.dumps(as_csv.merged(known, recorded)), said


def _hidden(rows: Sequence[as_csv.Row], key):
    nobody = {"last_name": None, "first_name": None, "email": None}
    hidden = [replace(row, student_id=pseudonym(row.student_id, key), **nobody) for row in rows]
    return sorted(hidden, key=lambda row: (row.assignment, row.student_id))
