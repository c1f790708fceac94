"""Read back what nbgrader recorded: points from its gradebook, reasons from the graded notebooks."""

import json
from dataclasses import dataclass, field
from pathlib import Path

PART_OUTPUT = "application/vnd.attnlab.part+json"  # what attnlab's check cells leave beside their card


@dataclass(frozen=True)
class Loss:
    """Points lost in one part.

    Attributes
    ----------
    part : str
        Which part.
    points : float
        All points lost in it.
    reason : str
        What was seen where it failed first, in a sentence.
    also : dict
        Points by the statement that does not hold, for what failed in other words than the first.
    """

    part: str
    points: float
    reason: str
    also: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """What one student got.

    Attributes
    ----------
    student : str
        The student's id.
    points : dict
        Points by part; empty when the notebook could not be graded.
    losses : tuple of Loss
        Why points are missing.
    problem : str
        The sentence why nothing could be graded; empty when it could.
    grader_broke : bool
        Whether the problem is the grader's, not the file's.
    """

    student: str
    points: dict[str, float]
    losses: tuple[Loss, ...] = ()
    problem: str = ""
    grader_broke: bool = False

    @property
    def total(self) -> float:
        """Points of all parts together."""
        return sum(self.points.values())


def max_points(course: Path, assignment: str) -> dict[str, float]:
    """Return what every graded part of an assignment is worth, in the order of the notebook."""
    with _gradebook(course) as gradebook:
        cells = gradebook.find_notebook(assignment, assignment).grade_cells
        points = {cell.name: cell.max_score for cell in cells}
    notebook = json.loads((course / "release" / assignment / f"{assignment}.ipynb").read_text(encoding="utf-8"))
    names = [cell["id"] for cell in notebook["cells"] if cell["id"] in points]
    return {_part(name): points[name] for name in names}


def read_results(course: Path, assignment: str, students: list[str]) -> list[Result]:
    """Return one result for each student, in the order given."""
    with _gradebook(course) as gradebook:
        return [_read_result(gradebook, course, assignment, student) for student in students]


def _gradebook(course: Path):
    from nbgrader.api import Gradebook  # slow to import, and only instructors have it

    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attnlab")


def _part(grade_id: str) -> str:
    return grade_id.removeprefix("check-")


def _read_result(gradebook, course: Path, assignment: str, student: str) -> Result:
    graded = course / "autograded" / student / assignment / f"{assignment}.ipynb"
    if not graded.is_file():
        problem = _why_unreadable(course / "submitted" / student / assignment / graded.name)
        return Result(student, {}, problem=problem or "nbgrader gave up; its log says why.", grader_broke=not problem)
    submission = gradebook.find_submission_notebook(assignment, assignment, student)
    grades = {_part(grade.name): grade for grade in submission.grades}
    cells = [cell for cell in json.loads(graded.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    losses = []
    for cell in cells:
        metadata = cell["metadata"].get("nbgrader", {})
        part = _part(metadata.get("grade_id", ""))
        if metadata.get("grade") and grades[part].score < grades[part].max_score:
            losses.append(_loss(part, grades[part].max_score - grades[part].score, cell, cells))
    return Result(student, {part: grade.score for part, grade in grades.items()}, tuple(losses))


def _loss(part: str, lost: float, cell: dict, cells: list[dict]) -> Loss:
    """Say why points are lost in a part, from what its check cell left behind."""
    report = next((out["data"][PART_OUTPUT] for out in cell["outputs"] if PART_OUTPUT in out.get("data", {})), None)
    if report is None:
        return Loss(part, lost, _why_no_report(part, cell, cells))
    failed = [check for check in report["checks"] if check["score"] < check["max_score"]]
    reasons = [_first_paragraph(check["message"]) or f"This does not hold: {check['title']}." for check in failed]
    also = {
        check["title"]: check["max_score"] - check["score"]
        for check, reason in zip(failed, reasons, strict=True)
        if reason != reasons[0]
    }
    return Loss(part, lost, reasons[0], also)


def _first_paragraph(message: str) -> str:
    """Return what stands before a counterexample, on one line."""
    return " ".join(message.strip().split("\n\n")[0].split())


def _error(cell: dict) -> dict | None:
    return next((output for output in cell["outputs"] if output["output_type"] == "error"), None)


def _why_no_report(part: str, cell: dict, cells: list[dict]) -> str:
    """Say why a check cell ended before it could judge anything: mostly because there was nothing to judge."""
    error = _error(cell)
    if error is None:
        return "The check left no result."
    if error["ename"] in ("CellTimeoutError", "KeyboardInterrupt"):
        return "The check did not end in time."
    if error["ename"] != "NameError":
        return f"The check ended in {error['ename']}: {error['evalue']}."
    defining = next((other for other in cells if f"def {part}(" in "".join(other["source"]) and _error(other)), None)
    if defining is None:
        return f"The notebook defines no `{part}`."
    cause = _error(defining)
    return f"The cell of `{part}` ended in {cause['ename']} before it was defined: {cause['evalue']}."


def _why_unreadable(path: Path) -> str:
    """Say in a sentence what is wrong with a notebook file; nothing if it can be read."""
    try:
        json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return f"There is no {path.name} in the submission."
    except json.JSONDecodeError as error:
        return f"The notebook could not be read: the file is damaged or cut off, line {error.lineno}."
    except UnicodeDecodeError:
        return "The notebook could not be read: the file is not UTF-8 text."
    return ""
