"""The same class under pseudonyms, so that a report can be shown around."""

import hashlib
import hmac
from dataclasses import replace

from .reading import Assignment, Damaged, Told

LENGTH = 8  # hexadecimal digits
HIDDEN = "…"


def pseudonym(student: str, key: str) -> str:
    """Return a student's pseudonym: the same whenever the course is the same, of no use without its secret."""
    digest = hmac.new(key.encode(), student.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()
    return f"student-{digest[:LENGTH]}"


def anonymous(assignment: Assignment, key: str) -> Assignment:
    """Return the assignment with pseudonyms for ids, in their order.

    What students wrote is left out as well: names of files, and the text of errors, which may hold anything.
    """
    records = []
    for record in assignment.records:
        notebooks = tuple(
            replace(
                notebook,
                unreadable=notebook.unreadable and _redacted(notebook.unreadable),
                notes=tuple(map(_redacted, notebook.notes)),
                checks=tuple(replace(c, message="") if c.outcome != "failed" else c for c in notebook.checks),
            )
            for notebook in record.notebooks
        )
        records.append(replace(record, student=pseudonym(record.student, key), notebooks=notebooks))
    return Assignment(
        assignment.name,
        tuple(sorted(records, key=lambda record: record.student)),
        tuple(Damaged(pseudonym(d.file.removesuffix(".json"), key), _redacted(d.why)) for d in assignment.damaged),
        tuple(sorted(pseudonym(student, key) for student in assignment.waiting)),
    )


def _redacted(told):
    return Told(told.message, {k: v if isinstance(v, int | float) else HIDDEN for k, v in told.facts.items()})
