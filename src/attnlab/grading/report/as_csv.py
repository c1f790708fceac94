"""The marks as CSV, equal to what ``nbgrader export`` writes, cell by cell.

What the gradebook knows is taken from it, so that marks given by hand after grading are in it; the rest comes from the
grader's records. No cell is changed to please a spreadsheet: a name that starts with ``=`` would no longer be the name,
and learning systems match rows by it. Cells with commas or quotes, which nbgrader writes so that they fall apart, are
quoted.
"""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from ... import texts
from .reading import Assignment

HEADER = (
    "assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email", "raw_score",
    "late_submission_penalty", "score", "max_score",
)  # fmt: skip


class BadGradebook(Exception):
    """The gradebook cannot be read."""


@dataclass(frozen=True)
class Row:
    """One student's assignment; the fields are the columns."""

    assignment: str
    duedate: datetime | None
    timestamp: datetime | None
    student_id: str
    last_name: str | None
    first_name: str | None
    email: str | None
    raw_score: float
    late_submission_penalty: float
    score: float
    max_score: float


def dumps(rows: Sequence[Row]) -> str:
    """Return the rows as text, under nbgrader's header."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(HEADER)
    writer.writerows([_cell(getattr(row, column)) for column in HEADER] for row in rows)
    return buffer.getvalue()


def _cell(value):
    return "" if value is None else texts.visible(str(value))


def of_records(assignment: Assignment) -> list[Row]:
    """Return the rows that the records alone give: without names and due dates."""
    return [
        Row(
            assignment.name, None, _time(record.timestamp), record.student, None, None, None, record.score,
            record.late_penalty, record.final, record.max_score,
        )
        for record in assignment.records
    ]  # fmt: skip


def _time(text):
    """Return a time as nbgrader keeps it: UTC, without a mark that it is."""
    try:
        found = datetime.fromisoformat(text) if text else None
    except ValueError:
        return None
    return found.astimezone(UTC).replace(tzinfo=None) if found is not None and found.tzinfo else found


def of_gradebook(db_url: str, names: Sequence[str]) -> list[Row]:
    """Return the rows that ``nbgrader export`` writes about some assignments, in its order.

    Raises
    ------
    BadGradebook
        With the reason, if the gradebook cannot be read.
    ModuleNotFoundError
        If nbgrader is not installed.
    """
    from nbgrader import api
    from sqlalchemy import make_url, select

    try:
        file = make_url(db_url).database if db_url.startswith("sqlite:") else None
        if file is not None and (not Path(file).is_file() or not Path(file).stat().st_size):
            raise FileNotFoundError(f"{file} is no gradebook")  # nbgrader would make an empty one there
        gradebook = api.Gradebook(db_url)
    except Exception as error:
        raise BadGradebook(_why(error)) from None
    try:
        submitted = api.SubmittedAssignment
        students = gradebook.students
        rows = []
        for assignment in gradebook.assignments:
            if assignment.name not in names:
                continue
            query = select(
                submitted.student_id, submitted.timestamp, submitted.score, submitted.late_submission_penalty
            ).where(submitted.assignment_id == assignment.id)  # one query, where nbgrader asks once for each student
            handed_in = {row[0]: row[1:] for row in gradebook.db.execute(query)}
            for student in students:
                timestamp, score, penalty = handed_in.get(student.id, (None, 0.0, 0.0))
                rows.append(
                    Row(
                        assignment.name, assignment.duedate, timestamp, student.id, student.last_name,
                        student.first_name, student.email, score, penalty, max(0.0, score - penalty),
                        assignment.max_score,
                    )
                )  # fmt: skip
        return rows
    except Exception as error:
        raise BadGradebook(_why(error)) from None
    finally:
        gradebook.close()


def merged(known: Sequence[Row], recorded: Sequence[Row]) -> list[Row]:
    """Return the gradebook's rows, and behind them those that only the records have."""
    there = {(row.assignment, row.student_id) for row in known}
    about = {row.assignment: row for row in known}
    return [
        *known,
        *(
            replace(row, duedate=about[row.assignment].duedate) if row.assignment in about else row
            for row in recorded
            if (row.assignment, row.student_id) not in there
        ),
    ]


def _why(error):
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
