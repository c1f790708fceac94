"""The course works with stock nbgrader: it releases the committed notebooks and survives odd submissions."""

import functools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output
from traitlets.config.loader import PyFileConfigLoader

from attnlab.authoring.notebooks import solved_notebook, source_notebook, student_notebook
from attnlab.authoring.sources import read_sources
from attnlab.grading.demo.results import read_results
from attnlab.grading.demo.run import nbgrader_environment
from attnlab.grading.preprocessors import SkipDemonstrations

pytestmark = pytest.mark.xdist_group("test_nbgrader")  # its module fixtures are expensive

ROOT = Path(__file__).parents[1]
ASSIGNMENTS = {"attention": "en", "attention-ru": "ru"}


@pytest.fixture(scope="module")
def sources(lab):
    """What the notebooks are made from."""
    return read_sources(lab)


@pytest.fixture(scope="module")
def new_course(tmp_path_factory, sources):
    """``new_course(assignment) -> Path``: a course root with the committed configuration and a source notebook."""

    def make(assignment):
        root = tmp_path_factory.mktemp("course")
        (root / "nbgrader_config.py").write_bytes((ROOT / "grading" / "nbgrader_config.py").read_bytes())
        folder = root / "source" / assignment
        folder.mkdir(parents=True)
        nbformat.write(source_notebook(sources, ASSIGNMENTS[assignment]), folder / f"{assignment}.ipynb")
        return root

    return make


@pytest.fixture(scope="module")
def config(new_course):
    """The configuration as nbgrader loads it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTNLAB_SECRET", "")  # loading sets both; the patch puts back what was there
        patch.setenv("ATTNLAB_LANG", "en")
        yield PyFileConfigLoader(str(new_course("attention") / "nbgrader_config.py")).load_config()


def nbgrader(course, *arguments):
    environment = nbgrader_environment(course.parent)
    command = [sys.executable, "-m", "nbgrader", *arguments]
    return subprocess.run(command, cwd=course, env=environment, capture_output=True, text=True, timeout=300)


def hand_in(course, student, notebook, assignment="attention"):
    folder = course / "submitted" / student / assignment
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{assignment}.ipynb")


@pytest.fixture(scope="module")
def release(new_course):
    """``release(assignment) -> Path``: a course in which nbgrader released the assignment; made once for each."""

    @functools.cache
    def make(assignment):
        course = new_course(assignment)
        done = nbgrader(course, "generate_assignment", assignment)
        assert done.returncode == 0, done.stderr
        return course

    return make


def released_notebook(course, assignment="attention"):
    return nbformat.read(course / "release" / assignment / f"{assignment}.ipynb", as_version=4)


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_release_is_the_student_notebook(release, sources, assignment):
    notebook = released_notebook(release(assignment), assignment)
    for cell in notebook.cells:
        for added in ("nbgrader", "deletable", "editable"):
            cell.metadata.pop(added, None)
    assert notebook == student_notebook(sources, ASSIGNMENTS[assignment])


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_the_release_locks_checks_and_given_cells_but_not_answers(release, assignment):
    for cell in released_notebook(release(assignment), assignment).cells:
        role = cell.metadata.attnlab.role
        assert cell.metadata.get("editable", True) == (role in ("lesson", "solution")), cell.id


STOCK = """
from nbgrader.preprocessors import Execute
from attnlab.grading.preprocessors import SkipDemonstrations
c.Autograde.autograde_preprocessors = [SkipDemonstrations, Execute, *c.Autograde.autograde_preprocessors[1:]]
"""


@pytest.fixture(scope="module", params=["judged", "executed"])
def graded(release, sources, tmp_path_factory, request):
    """The results of three odd submissions, by our step and by nbgrader's own with a short time limit."""
    course = tmp_path_factory.mktemp("graded") / "course"
    shutil.copytree(release("attention"), course)
    if request.param == "executed":
        with open(course / "nbgrader_config.py", "a", encoding="utf-8") as file:
            file.write(STOCK)
    solved = {cell.id: cell.source for cell in solved_notebook(sources, "en").cells if cell.id.startswith("stub-")}

    def filled(**other):
        notebook = released_notebook(course)
        for cell in notebook.cells:
            cell.source = other.get(cell.id.removeprefix("stub-"), solved.get(cell.id, cell.source))
        return notebook

    endless = "def causal_self_attention(*_):\n    while True:\n        pass"
    hand_in(course, "endless", filled(causal_self_attention=endless))
    old = filled()
    for cell in old.cells:
        if "nbgrader" in cell.metadata:
            cell.metadata.nbgrader.schema_version = 1 if cell.id.startswith("stub-") else 99
    hand_in(course, "old-schema", old)
    skipping = filled(softmax="def softmax(x):\n    return x")
    for cell in skipping.cells:
        if cell.id.startswith("check-"):
            cell.metadata["tags"] = ["skip-execution"]
            cell.source = "pass"
    hand_in(course, "skipping", skipping)
    nbgrader(course, "autograde", "attention", "--Execute.timeout=4")
    students = ["endless", "old-schema", "skipping"]
    return {result.student: result for result in read_results(course, "attention", students)}


def test_an_endless_loop_costs_its_own_points_only(graded):
    assert graded["endless"].points == {"softmax": 2, "causal_mask": 1, "attention": 4, "causal_self_attention": 0}


def test_a_schema_version_nbgrader_does_not_know_costs_nothing(graded):
    assert graded["old-schema"].total == 10


def test_replacing_and_skipping_the_checks_gains_nothing(graded):
    assert graded["skipping"].points["softmax"] == 0
    assert graded["skipping"].points["causal_mask"] == 1


def test_the_course_draws_one_secret_and_keeps_it(new_course):
    course = new_course("attention")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATTNLAB_SECRET", "")
        patch.setenv("ATTNLAB_LANG", "en")
        secrets = []
        for _ in range(2):
            PyFileConfigLoader(str(course / "nbgrader_config.py")).load_config()
            secrets.append(os.environ["ATTNLAB_SECRET"])
    assert secrets[0] == secrets[1] == (course / ".secret").read_text()
    assert len(secrets[0]) == 32


def test_the_configuration_names_no_place_of_its_own():
    text = (ROOT / "grading" / "nbgrader_config.py").read_text(encoding="utf-8")
    assert str(ROOT) not in text
    assert "/home" not in text


def test_feedback_keeps_the_message_of_an_error_and_drops_the_lines_around_it(config):
    hide = config.GenerateFeedback.preprocessors[0]()
    source = "from attnlab import check\n### BEGIN HIDDEN TESTS\nsecret()\n### END HIDDEN TESTS\ncheck('f', f)"
    traceback = ["Traceback", "\x1b[0;32m      3\x1b[0m secret()", "NameError: name 'f' is not defined"]
    error = new_output("error", ename="NameError", evalue="name 'f' is not defined", traceback=traceback)
    check = new_code_cell(source, outputs=[error], metadata={"nbgrader": {"grade": True, "grade_id": "check-f"}})
    answer = new_code_cell("### BEGIN HIDDEN TESTS", outputs=[error.copy()])
    notebook, _ = hide(new_notebook(cells=[check, answer]), {})
    assert notebook.cells[0].source == "from attnlab import check\ncheck('f', f)"
    assert notebook.cells[0].outputs[0].traceback == ["NameError: name 'f' is not defined"]
    assert notebook.cells[1].source == "### BEGIN HIDDEN TESTS"
    assert notebook.cells[1].outputs[0].traceback == traceback


def test_only_demonstrations_no_answer_needs_are_skipped():
    skip = SkipDemonstrations()

    def given(name, source):
        locked = {"grade": False, "solution": False, "locked": True, "grade_id": f"given-{name}"}
        return new_code_cell(source, metadata={"nbgrader": locked})

    cells = {
        "setup": given("setup", "import numpy as np"),
        "picture": given("picture", "plots.pipeline()"),
        "base": given("base", "rng = np.random.default_rng(0)"),
        "needed": given("needed", "table = rng.normal(size=3)"),
        "unneeded": given("unneeded", "for unused in range(3):\n    print(unused)"),
        "answer": new_code_cell("%timeit 1\ndef f(x):\n    return table[x]"),
    }
    skip(new_notebook(cells=list(cells.values())), {})
    assert {name for name, cell in cells.items() if cell.metadata.get("tags") == ["skip-execution"]} == {
        "picture",
        "unneeded",
    }
