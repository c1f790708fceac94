"""Small courses with classes in them, for tests of the grader."""

import json
import shutil
from functools import cache
from pathlib import Path

from arrivals.packaging import released_notebook, work_of
from nbgrader.api import Gradebook

from attnlab.grading import new_course
from attnlab.grading.handed_out import prepared

ROOT = Path(__file__).parents[1]
SOLUTION = (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8")
FLAT = "\n\ndef softmax(x):\n    return np.exp(x) / np.exp(x).sum()\n"


def course_template(folder: Path) -> Path:
    """Make a course; nbgrader takes seconds for it, so tests copy one."""
    new_course.make(folder, "en")
    return folder


def copied(template: Path, folder: Path) -> Path:
    """Return a course of a test's own."""
    shutil.copytree(template, folder)
    return folder


@cache
def released(text: str) -> dict:
    """Return the notebook that students get, from the text of its source."""
    return released_notebook(prepared("attention", text))


def hand_in(course: Path, student: str, script: str, assignment: str = "attention", timestamp: str = "") -> Path:
    """Fill a student's functions into the released notebook and hand it in; return its folder."""
    folder = course / "submitted" / student / assignment
    folder.mkdir(parents=True, exist_ok=True)
    source = (course / "source" / assignment / f"{assignment}.ipynb").read_text(encoding="utf-8")
    notebook = work_of(script, released(source)).notebook
    (folder / f"{assignment}.ipynb").write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    if timestamp:
        (folder / "timestamp.txt").write_text(timestamp, encoding="utf-8")
    return folder


def state(url: str, assignment: str = "attention") -> dict:
    """Return what a gradebook says of an assignment, without its random ids."""
    with Gradebook(url, "attnlab") as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions(assignment):
            cells = {
                (n.name, g.name): (g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade)
                for n in submission.notebooks for g in n.grades
            }  # fmt: skip
            comments = {
                (n.name, c.name): (c.auto_comment, c.manual_comment) for n in submission.notebooks for c in n.comments
            }
            penalties = {n.name: n.late_submission_penalty for n in submission.notebooks}
            found[submission.student.id] = submission.score, str(submission.timestamp), cells, comments, penalties
        return found


def url_of(course: Path) -> str:
    """Return the address of a course's gradebook."""
    return f"sqlite:///{course}/gradebook.db"


def written(course: Path) -> dict[str, bytes]:
    """Return everything under ``autograded/`` and ``feedback/``."""
    found = {}
    for step in ("autograded", "feedback"):
        for path in sorted((course / step).rglob("*")):
            if path.is_file():
                found[path.relative_to(course).as_posix()] = path.read_bytes()
    return found
