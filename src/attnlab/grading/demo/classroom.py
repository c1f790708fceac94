"""A class and what it hands in: the released notebook, filled in as the files in ``students/LAB/`` say.

For a lab without such files some of the class hand in the solution, nothing, or a wrong version from its registry.
"""

import ast
import copy
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import resources
from importlib.util import find_spec
from pathlib import Path

from attnlab import labs
from attnlab.labs.model import Lab

RIGHT, LATE = "right-plain", "untouched"
WRONG = ("wrong-first", "wrong-second", "wrong-third", "wrong-fourth")
REGION = re.compile(r"^# %% *(?P<action>like|before|after)? *(?P<name>\w+) *$", re.MULTILINE)


@dataclass(frozen=True)
class Student:
    """One of the class: an id, a sentence about the work, and the work."""

    id: str
    about: str
    regions: dict[str, str]
    """Source by what is to be done with it: ``NAME`` fills a stub, ``before NAME`` and ``after NAME`` add a cell."""
    expected: tuple[str, ...] | None = None
    """Parts in which points must be lost, where that is known beforehand."""


def classroom(lab: str) -> tuple[Student, ...]:
    """Return all students who hand in a lab, in the order of their ids."""
    folder = resources.files(__package__) / "students" / lab
    if not folder.is_dir():
        return _from_registry(labs.get(lab))
    names = (entry.name.removesuffix(".py") for entry in folder.iterdir() if entry.name.endswith(".py"))
    return tuple(_student(folder, name) for name in sorted(names))


def _student(folder, name: str) -> Student:
    text = (folder / f"{name}.py").read_text(encoding="utf-8")
    matches = list(REGION.finditer(text))
    regions: dict[str, str] = {}
    ends = [*(match.start() for match in matches[1:]), len(text)]
    for match, end in zip(matches, ends, strict=False):  # a file without regions is a student without answers
        if match["action"] == "like":
            regions |= _student(folder, match["name"]).regions
        else:
            key = " ".join(filter(None, (match["action"], match["name"])))
            regions[key] = text[match.end() : end].strip("\n")
    about = text.split('"""')[1]
    return Student(name.replace("_", "-"), about, regions)


def _from_registry(lab: Lab) -> tuple[Student, ...]:
    """Return students for a lab nobody wrote any for: a right one, a late one, and four with known wrong versions."""
    graded = {part.name for part in lab.parts if not part.bonus}
    right = _functions(Path(find_spec(lab.core).origin).read_text(encoding="utf-8"), lab)
    students = [Student(RIGHT, "Right: as in the solution.", right, ())]
    students.append(Student(LATE, "Nothing was written.", {}, tuple(sorted(graded))))
    known = [m for m in lab.misconceptions() if m.part in graded and not m.stateful]
    spread = max(1, len(known) // len(WRONG))
    for id, wrong in zip(WRONG, known[::spread], strict=False):
        regions = _functions(lab.submission_source(wrong), lab)
        students.append(Student(id, f"Wrong: {wrong.description}", regions, (wrong.part,)))
    return tuple(sorted(students, key=lambda student: student.id))


def _functions(source: str, lab: Lab) -> dict[str, str]:
    """Return the lab's functions as a file defines them."""
    lines = source.splitlines()
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef) and node.name in lab.functions
    }


def hand_in(student: Student, release: str) -> str:
    """Return the text of the notebook file a student hands in.

    Parameters
    ----------
    student : Student
        Who.
    release : str
        The notebook file as nbgrader released it.
    """
    notebook = json.loads(release)
    cells = []
    for cell in notebook["cells"]:
        name = cell["id"].removeprefix("stub-")
        if not cell["id"].startswith("stub-"):
            cells.append(cell)
            continue
        if f"before {name}" in student.regions:
            cells.append(_own_cell(f"before-{name}", student.regions[f"before {name}"]))
        cells.append(cell | {"source": student.regions.get(name, cell["source"])})
        if f"after {name}" in student.regions:
            cells.append(_own_cell(f"after-{name}", student.regions[f"after {name}"]))
    text = json.dumps(notebook | {"cells": cells}, ensure_ascii=False, indent=1) + "\n"
    return MISHAPS.get(student.id, str)(text)


def _own_cell(cell_id: str, source: str) -> dict:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": {},
        "outputs": [],
        "source": source,
    }


def _edited(change: Callable[[list[dict]], list[dict]]) -> Callable[[str], str]:
    """Lift a change of the list of cells to the text of a notebook."""

    def edit(text):
        notebook = json.loads(text)
        return json.dumps(notebook | {"cells": change(notebook["cells"])}, ensure_ascii=False, indent=1) + "\n"

    return edit


def _without_checks(cells: list[dict]) -> list[dict]:
    """Move the function attention into another cell, and delete its own cell together with two checks."""
    work = next(cell for cell in cells if cell["id"] == "stub-attention")
    gone = {"stub-attention", "check-softmax", "check-attention"}
    own = _own_cell("my-attention", work["source"])
    return [own if cell is work else cell for cell in cells if cell is work or cell["id"] not in gone]


def _without_metadata(cells: list[dict]) -> list[dict]:
    return [cell | {"metadata": {}} for cell in cells]


def _with_copy(cells: list[dict]) -> list[dict]:
    index = next(index for index, cell in enumerate(cells) if cell["id"] == "stub-softmax")
    return [*cells[: index + 1], copy.deepcopy(cells[index]) | {"id": "copied"}, *cells[index + 1 :]]


MISHAPS: dict[str, Callable[[str], str]] = {
    "broken-notebook": lambda text: text[: len(text) // 2],
    "right-copied-cell": _edited(_with_copy),
    "right-deleted-checks": _edited(_without_checks),
    "right-without-metadata": _edited(_without_metadata),
}
