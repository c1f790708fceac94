"""A class for the benchmarks of the grader: right, wrong and a few hostile submissions to lab ``attention``."""

import ast
import copy
import itertools
import json
import shutil
from pathlib import Path

from attnlab import labs
from attnlab.grading import new_course
from attnlab.grading.handed_out import SourceNotebook

ROOT = Path(__file__).parents[1]
STOCK = """
from nbgrader.preprocessors import Execute
from attnlab.grading.preprocessors import SkipDemonstrations
c.Autograde.autograde_preprocessors = [SkipDemonstrations, Execute, *c.Autograde.autograde_preprocessors[1:]]
"""
HOSTILE = (
    "def softmax(x):\n    while True:\n        pass",
    "import os\nos._exit(0)\n\n\ndef softmax(x):\n    return x",
    "def softmax(x):\n    return [bytearray(1 << 30) for _ in range(64)]",
    "def softmax(x):\n    raise SystemExit",
)


def make_course(folder: Path, students: int) -> Path:
    """Make a course in which `students` handed in: half right, half wrong, one in fifty hostile.

    The work is what the test suite has of right files and the registry of wrong versions, in turn.
    """
    if folder.exists():
        shutil.rmtree(folder)
    new_course.make(folder, "en")
    source = SourceNotebook.load_all(folder / "source" / "attention")[0]
    released = copy.deepcopy(source.released)
    for cell, handed_out in zip(released["cells"], source.cells, strict=True):
        cell["source"] = handed_out.shown
    solution = (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8")
    lab = labs.get("attention")
    right = itertools.cycle([solution])
    wrong = itertools.cycle(_wrong(lab))
    hostile = itertools.cycle(solution + "\n\n" + code for code in HOSTILE)
    for number in range(students):
        script = next(hostile if number % 50 == 49 else wrong if number % 2 else right)
        target = folder / "submitted" / f"student{number:05}" / "attention"
        target.mkdir(parents=True)
        text = json.dumps(_filled(released, script), ensure_ascii=False, indent=1)
        (target / "attention.ipynb").write_text(text, encoding="utf-8")
    return folder


def _wrong(lab):
    from attnlab.labs.attention.misconceptions import submission_source

    return [submission_source(m) for m in lab.misconceptions()]


def _filled(released, script):
    lines, tree = script.split("\n"), ast.parse(script)
    functions, rest = {}, []
    for node in tree.body:
        text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = text
        else:
            rest.append(text)
    filled = copy.deepcopy(released)
    for cell in filled["cells"]:
        if cell["id"].startswith("stub-"):
            cell["source"] = functions[cell["id"].removeprefix("stub-")]
        elif cell["id"] == "given-setup":
            place = filled["cells"].index(cell)
    own = {"cell_type": "code", "execution_count": None, "id": "own", "metadata": {}, "outputs": []}
    filled["cells"].insert(place + 1, own | {"source": "\n".join(rest)})
    return filled
