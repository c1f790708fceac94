"""The one writer of the gradebook: a batch of students in one transaction, manual scores and comments kept.

nbgrader's own calls commit after each cell; here a batch is looked up, compared and written with a handful of
statements, through nbgrader's own tables.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from nbgrader import api
from nbgrader.dbutil import ALEMBIC_DIR
from nbgrader.utils import parse_utc
from sqlalchemy import insert, select, update
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InterfaceError, OperationalError

CONNECT_SECONDS = 15
LOCKED_SECONDS = 60  # how long a gradebook that somebody else writes to is waited for
PAUSE = 0.5


class GradebookError(Exception):
    """The gradebook cannot be used. Holds the id and the facts of a message.

    `lasting` says that the gradebook failed, and not on account of what was to be written.
    """

    def __init__(self, message: str, *, lasting: bool = True, **facts):
        super().__init__(message)
        self.message, self.lasting, self.facts = message, lasting, facts


@dataclass(frozen=True)
class Entry:
    """What is to be recorded of one student.

    `scores` maps ``(notebook, grade_id)`` to points, None for a cell that a person must mark; `comments` maps
    ``(notebook, grade_id)`` of solution cells to nbgrader's automatic comment or None.
    """

    student: str
    timestamp: datetime | None
    scores: dict[tuple[str, str], float | None]
    comments: dict[tuple[str, str], str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Recorded:
    """What stands in the gradebook afterwards: the sum with manual scores, the penalty, and what is left to do."""

    score: float
    late_penalty: float
    needs_manual: bool


def open_gradebook(db_url: str, course_id: str) -> api.Gradebook:
    """Return nbgrader's gradebook, made if it is new; GradebookError if that fails."""
    api.get_alembic_version = newest_version
    try:
        return api.Gradebook(_impatient(db_url), course_id or "default_course")
    except Exception as error:
        raise GradebookError("grade.no_gradebook", url=without_password(db_url), why=_why(error)) from None


def newest_version() -> str:
    """Return the version of nbgrader's tables, which a new gradebook is marked with.

    nbgrader starts the program ``alembic`` to be told; that takes seconds, and wants an activated environment.
    """
    from alembic.script import ScriptDirectory

    return ScriptDirectory(ALEMBIC_DIR).get_current_head()


def _impatient(db_url):
    """Return the address of a gradebook, with a bound on the time to connect to a server unless it has one."""
    url = make_url(db_url)
    if not url.drivername.startswith("postgresql") or "connect_timeout" in url.query:
        return db_url
    url = url.update_query_dict({"connect_timeout": str(CONNECT_SECONDS)})
    return url.render_as_string(hide_password=False)


class Writer:
    """Writes one assignment's results.

    Parameters
    ----------
    db_url, course_id : str
        As nbgrader has them.
    assignment : str
        Must be in the gradebook.
    penalty : callable
        ``penalty(student, score, seconds late) -> points or None``, nbgrader's plugin.
    """

    def __init__(self, db_url: str, course_id: str, assignment: str, penalty):
        self._gradebook = open_gradebook(db_url, course_id)
        try:
            found = self._gradebook.find_assignment(assignment)
        except api.MissingEntry:
            self.close()
            facts = {"assignment": assignment, "url": without_password(db_url)}
            raise GradebookError("grade.not_in_gradebook", **facts) from None
        self._course, self._penalty = self._gradebook.course_id, penalty
        self._assignment, self._duedate = found.id, found.duedate
        self._notebooks = {notebook.name: notebook.id for notebook in found.notebooks}
        self._graded, self._commented = {}, {}
        for notebook in found.notebooks:
            for cell in (*notebook.grade_cells, *notebook.task_cells):
                self._graded[notebook.name, cell.name] = cell.id
            for cell in (*notebook.solution_cells, *notebook.task_cells):
                self._commented[notebook.name, cell.name] = cell.id
        self._gradebook.db.rollback()

    @property
    def cells(self) -> set[tuple[str, str]]:
        """The graded cells, as ``(notebook, grade_id)``."""
        return set(self._graded)

    @property
    def commented(self) -> set[tuple[str, str]]:
        """The cells that take comments."""
        return set(self._commented)

    @property
    def notebooks(self) -> tuple[str, ...]:
        """Names of the assignment's notebooks."""
        return tuple(self._notebooks)

    def recorded(self) -> set[str]:
        """Return the students with a submission in the gradebook."""
        query = select(api.SubmittedAssignment.student_id).filter_by(assignment_id=self._assignment)
        found = set(self._gradebook.db.execute(query).scalars())
        self._gradebook.db.rollback()
        return found

    def record(self, batch: Sequence[Entry]) -> dict[str, Recorded]:
        """Write a batch, all of it or nothing; wait while somebody else holds the gradebook."""
        deadline = time.monotonic() + LOCKED_SECONDS
        while True:
            try:
                done = self._write(batch)
                self._gradebook.db.commit()
                return done
            except OperationalError as error:
                self._gradebook.db.rollback()
                if "lock" not in str(error).lower() or time.monotonic() > deadline:
                    raise GradebookError("grade.gradebook_failed", why=_why(error)) from None
                time.sleep(PAUSE)
            except Exception as error:
                self._gradebook.db.rollback()
                lasting = isinstance(error, InterfaceError)
                raise GradebookError("grade.gradebook_failed", lasting=lasting, why=_why(error)) from None

    def close(self) -> None:
        """Let go of the gradebook."""
        self._gradebook.close()

    def _write(self, batch):
        self._add_students([entry.student for entry in batch])
        submissions = self._submissions(batch)
        notebooks = self._submitted_notebooks(submissions)
        grades = self._rows(api.Grade, self._graded, notebooks)
        comments = self._rows(api.Comment, self._commented, notebooks)
        told = {(e.student, *key): {"auto_comment": e.comments.get(key)} for e in batch for key in self._commented}
        self._update(api.Comment, comments, told)
        given = {(e.student, *key): self._grade(e.scores.get(key, 0.0)) for e in batch for key in self._graded}
        for key, row in grades.items():
            given[key]["needs_manual_grade"] |= row["manual_score"] is not None  # as nbgrader: to be looked at again
        self._update(api.Grade, grades, given)
        points = {}
        for key, row in grades.items():
            points[key[:2]] = points.get(key[:2], 0.0) + _points(row | given[key])
        penalties = {
            key: {"late_submission_penalty": self._late_penalty(key[0], submissions[key[0]], points.get(key, 0.0))}
            for key in notebooks
        }
        self._update(api.SubmittedNotebook, notebooks, penalties)
        return {
            entry.student: Recorded(
                sum(value for (student, _), value in points.items() if student == entry.student),
                sum(row["late_submission_penalty"] or 0 for (s, _), row in penalties.items() if s == entry.student),
                any(row["needs_manual_grade"] for (student, *_), row in given.items() if student == entry.student),
            )
            for entry in batch
        }

    @staticmethod
    def _grade(score):
        return {"auto_score": score, "needs_manual_grade": score is None}

    def _late_penalty(self, student, submission, points):
        """Return what nbgrader's plugin takes off, at least 0 and at most what there is; None if it has no say."""
        _, timestamp, extension = submission
        if timestamp is None or self._duedate is None:
            return None
        late = (timestamp - self._duedate - (extension or timedelta())).total_seconds()
        penalty = self._penalty(student, points, late) if late > 0 else None
        return None if penalty is None else min(max(penalty, 0), points)

    def _add_students(self, students):
        known = set(self._gradebook.db.execute(select(api.Student.id).where(api.Student.id.in_(students))).scalars())
        self._add(api.Student, [{"id": s, "course_id": self._course} for s in students if s not in known])

    def _submissions(self, batch):
        """Return ``{student: (id, timestamp, extension)}``, missing rows added and timestamps set."""
        table = api.SubmittedAssignment
        query = select(table.student_id, table.id, table.timestamp, table.extension).where(
            table.assignment_id == self._assignment, table.student_id.in_([e.student for e in batch])
        )
        known = {student: rest for student, *rest in self._gradebook.db.execute(query)}
        added, changed, found = [], [], {}
        for entry in batch:
            timestamp = parse_utc(entry.timestamp)
            id, before, extension = known.get(entry.student, (api.new_uuid(), None, None))
            found[entry.student] = (id, timestamp, extension)
            if entry.student not in known:
                row = {"id": id, "assignment_id": self._assignment, "student_id": entry.student}
                added.append(row | {"timestamp": timestamp})
            elif before != timestamp:
                changed.append({"id": id, "timestamp": timestamp})
        self._add(table, added)
        if changed:
            self._gradebook.db.execute(update(table), changed)
        return found

    def _submitted_notebooks(self, submissions):
        """Return ``{(student, notebook): row}``, missing rows added."""
        owners = {id: student for student, (id, *_) in submissions.items()}
        wanted = {(id, notebook): (owners[id], name) for id in owners for name, notebook in self._notebooks.items()}
        return self._found(api.SubmittedNotebook, ("assignment_id", "notebook_id"), wanted)

    def _rows(self, table, cells, notebooks):
        """Return ``{(student, notebook, grade_id): row}`` of grades or comments, missing rows added."""
        wanted = {
            (row["id"], cell): (*key, grade_id)
            for key, row in notebooks.items()
            for (name, grade_id), cell in cells.items()
            if name == key[1]
        }
        return self._found(table, ("notebook_id", "cell_id"), wanted)

    def _found(self, table, owner, wanted):
        """Return ``{key: row}`` for ``wanted``, ``{values of the two owner columns: key}``; add the rows not there."""
        columns = [table.__table__.c[name] for name in (*owner, "id", *COLUMNS[table])]
        query = select(*columns).where(columns[0].in_({one for one, _ in wanted}))
        found = {}
        for row in self._gradebook.db.execute(query).mappings():
            if (row[owner[0]], row[owner[1]]) in wanted:
                found[wanted[row[owner[0]], row[owner[1]]]] = dict(row)
        added = []
        for ids, key in wanted.items():
            if key not in found:
                added.append({"id": api.new_uuid()} | dict(zip(owner, ids, strict=True)))
                found[key] = dict.fromkeys(COLUMNS[table]) | added[-1]
        self._add(table, added)
        return found

    def _add(self, table, rows):
        if rows:
            self._gradebook.db.execute(insert(table), rows)

    def _update(self, table, rows, values):
        """Write `values`, ``{key: columns}``, where they differ from the rows found."""
        changed = [
            {"id": row["id"]} | values[key]
            for key, row in rows.items()
            if any(row[name] != value for name, value in values[key].items())
        ]
        if changed:
            self._gradebook.db.execute(update(table), changed)


def _points(row):
    score = row["auto_score"] if row["manual_score"] is None else row["manual_score"]
    return 0.0 if score is None else score + (row["extra_credit"] or 0.0)


COLUMNS = {
    api.SubmittedNotebook: ("late_submission_penalty",),
    api.Grade: ("auto_score", "manual_score", "extra_credit", "needs_manual_grade"),
    api.Comment: ("auto_comment",),
}


def _why(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:300]


def without_password(url: str) -> str:
    """Return a database's address without its password."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except Exception:
        return url.rpartition("@")[2]
