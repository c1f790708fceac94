"""A class of any size through the pool, recorded in batches by one writer, resumed where it stopped."""

import errno
import hashlib
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from .. import __version__, texts
from ..submission import UsageError
from . import delivery, records
from .course import Course
from .gradebook import GradebookError, Writer
from .handed_out import SourceNotebook
from .marking import Rules
from .matching import Note, listed
from .pool import graded
from .worker import Job, Result, Setup

BATCH = 24  # students in one transaction
BATCH_SECONDS = 2.0  # after which a smaller one is written as well
DISK = ("ENOSPC", "EDQUOT", "EROFS", "EIO")  # full, read-only or broken


@dataclass
class Summary:
    """What a run came to. Of the results themselves only what an instructor has to look at is kept."""

    graded: int = 0
    unchanged: int = 0
    seconds: float = 0.0
    full: int = 0
    manual: int = 0
    retried: int = 0
    repaired: list[str] = field(default_factory=list)
    unreadable: dict[str, dict] = field(default_factory=dict)
    broken: dict[str, str] = field(default_factory=dict)

    def add(self, record: dict) -> None:
        """Count a student's record."""
        self.graded += 1
        self.retried += record["retried"]
        cells = [cell for notebook in record["notebooks"] for cell in notebook["cells"]]
        self.manual += any(cell["manual"] for cell in cells)
        self.full += bool(cells) and all(cell["points"] == cell["max_points"] for cell in cells)
        if any(notebook["notes"] for notebook in record["notebooks"]):
            self.repaired.append(record["student"])
        for notebook in record["notebooks"]:
            if notebook["unreadable"]:
                self.unreadable.setdefault(record["student"], notebook["unreadable"])


@dataclass(frozen=True)
class Plan:
    """What there is to do: submissions to grade, and students whose result stands."""

    jobs: tuple[Job, ...]
    unchanged: tuple[str, ...]


def salt(sources: Sequence[SourceNotebook], rules: Rules) -> str:
    """Return what all marks of a course depend on, so that a change of it grades everybody again."""
    parts = [__version__, rules.secret, rules.share, *(json.dumps(s.document, sort_keys=True) for s in sources)]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def plan(
    course: Course, setup: Setup, recorded: set[str] | None, students: Sequence[str] = (), force: bool = False
) -> Plan:
    """Find out what is to be graded.

    Parameters
    ----------
    recorded : set of str or None
        Students with a result in the gradebook; None to believe our own records.
    students : sequence of str
        Patterns; all who handed in, if empty.
    force : bool
        Also those whose result stands.

    Raises
    ------
    UsageError
        If a pattern fits nobody.
    """
    assignment = setup.assignment
    everybody = course.students(assignment)
    for pattern in students:
        if not any(fnmatchcase(s, pattern) for s in everybody):
            raise UsageError("grade.no_student", student=pattern, assignment=assignment)
    chosen = [s for s in everybody if not students or any(fnmatchcase(s, pattern) for pattern in students)]
    depends, names = salt(setup.sources, setup.rules), [s.name for s in setup.sources]
    jobs, unchanged = [], []
    for student in chosen:
        folder = course.folder("submitted", student, assignment)
        mark = records.digest(folder, depends)
        known = records.load(course.records(assignment), student) or {}
        stands = known.get("digest") == mark and (recorded is None or student in recorded)
        if stands and not force and delivery.is_whole(course, assignment, student, names):
            unchanged.append(student)
        else:
            jobs.append(_job(course, assignment, student, folder, mark, names))
    return Plan(tuple(jobs), tuple(unchanged))


def _job(course, assignment, student, folder, mark, notebooks):
    notes, timestamp = [], None
    try:
        timestamp = course.timestamp(student, assignment)
    except ValueError:
        notes.append(Note("grade.bad_timestamp"))
    if names := delivery.not_copied(course, assignment, folder, notebooks):
        notes.append(Note("grade.not_copied", {"names": listed(names)}))
    return Job(student, str(folder), mark, timestamp, tuple(notes))


def run(
    course: Course, assignment: str, jobs: Sequence[Job], pool, writer: Writer, advance: Callable = lambda student: None
) -> Summary:
    """Grade and record; what is graded when the run is interrupted stays recorded.

    Parameters
    ----------
    advance : callable
        Called with a student's id for each result.
    """
    began, summary, batch, since, failed = time.monotonic(), Summary(), [], time.monotonic(), {}

    def flush():
        nonlocal since
        results = batch.copy()
        batch.clear()
        written, errors = _delivered(course, assignment, results, writer)
        for result in written:
            summary.add(result.record)
        failed.update(errors)
        summary.broken |= {student: _why(error) for student, error in errors.items()}
        since = time.monotonic()

    try:
        for job, result in graded(pool, jobs):
            if isinstance(result, Result):
                batch.append(result)
            else:
                summary.broken[job.student] = str(result)
            advance(job.student)
            if len(batch) >= BATCH or time.monotonic() - since > BATCH_SECONDS:
                flush()
                if len(failed) >= BATCH:
                    _see_to_it(summary, failed)
    finally:
        flush()
        summary.seconds = time.monotonic() - began
    _see_to_it(summary, failed)
    return summary


def _delivered(course, assignment, batch, writer):
    """Write a batch; if that fails, one by one, so that what cannot be written of one student keeps back no other.

    Return what was written, and the errors by student.
    """
    try:
        delivery.deliver(course, assignment, batch, writer)
        return batch, {}
    except Exception as error:
        if _is_lasting(error):
            raise
    written, errors = [], {}
    for result in batch:
        try:
            delivery.deliver(course, assignment, [result], writer)
            written.append(result)
        except Exception as error:
            if _is_lasting(error):
                raise
            errors[result.job.student] = error
    return written, errors


def _is_lasting(error):
    """Say whether an error is of the disk or the gradebook, whatever is to be written."""
    return getattr(error, "lasting", False) or (isinstance(error, OSError) and errno.errorcode.get(error.errno) in DISK)


def _see_to_it(summary, failed):
    """Raise an error that everybody's work met with: it is nobody's own."""
    of_all = [error for error in failed.values() if not isinstance(error, UnicodeError)]
    if of_all and not summary.graded:
        raise of_all[0]


def _why(error):
    if isinstance(error, GradebookError):
        return texts.say("en", error.message, error.facts)
    return f"{type(error).__name__}: {error}"


@contextmanager
def only_one(course: Course, assignment: str) -> Iterator[None]:
    """Keep a second grader away from the same assignment; the system lets go however the first one ends."""
    folder = course.records(assignment)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / ".lock", "a+b") as file:
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except ImportError:  # Windows: two graders there are told apart by nobody
            pass
        except OSError:
            raise UsageError("grade.two_graders", assignment=assignment) from None
        yield
