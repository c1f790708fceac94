"""Notebooks run: solved ones are green from top to bottom, unsolved ones say what is still to do."""

from pathlib import Path

import pytest

pytest.importorskip("nbformat")
pytest.importorskip("nbclient")

import nbclient
import nbformat
from conftest import every_lab

from attnlab.authoring.notebooks import solved_notebook, source_notebook, student_notebook
from attnlab.authoring.sources import LANGUAGES, read_sources
from attnlab.notebook import PART_MIME, CheckFailed

pytestmark = pytest.mark.xdist_group("test_notebooks")  # its module fixtures are expensive

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def sources(lab):
    """What the notebooks are made from."""
    return read_sources(lab)


def run(notebook, path):
    """Run a notebook in a folder of its own, going on behind errors, and return it with its outputs."""
    resources = {"metadata": {"path": str(path)}}
    nbclient.NotebookClient(notebook, timeout=120, allow_errors=True, resources=resources).execute()
    return notebook


def cells(notebook, role):
    return [cell for cell in notebook.cells if cell.metadata.attnlab.role == role]


def outputs(notebook, kind):
    return [(cell.id, output) for cell in notebook.cells for output in cell.get("outputs", []) if kind(output)]


def status(cell):
    """What the card of a check cell says."""
    (card,) = [output.data for output in cell.outputs if PART_MIME in output.get("data", {})]
    return card[PART_MIME]["status"]


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_solved_notebook_is_green_and_quiet(sources, language, tmp_path):
    notebook = run(solved_notebook(sources, language), tmp_path)
    assert outputs(notebook, lambda output: output.output_type == "error") == []
    assert outputs(notebook, lambda output: output.get("name") == "stderr") == []
    assert {cell.metadata.attnlab.name: status(cell) for cell in cells(notebook, "check")} == {
        part.name: "passed" for part in sources.lab.parts
    }


@every_lab
def test_the_student_notebook_runs_to_its_end_behind_what_fails_and_every_check_says_todo(sources, tmp_path):
    notebook = run(student_notebook(sources, "ru"), tmp_path)
    assert [status(cell) for cell in cells(notebook, "check")] == ["todo"] * len(sources.lab.parts)
    assert notebook.cells[-1].cell_type == "markdown" or notebook.cells[-1].execution_count
    failing = {cell_id for cell_id, _ in outputs(notebook, lambda output: output.output_type == "error")}
    tagged = {cell.id for cell in notebook.cells if "raises-exception" in cell.metadata.get("tags", [])}
    assert failing
    assert failing <= tagged


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
def test_committed_notebooks_hold_no_outputs_and_no_solutions(sources, language):
    notebook = nbformat.read(ROOT / "notebooks" / language / f"{sources.lab.name}.ipynb", as_version=4)
    assert all(not cell.outputs and cell.execution_count is None for cell in notebook.cells if cell.cell_type == "code")
    text = "\n".join(cell.source for cell in notebook.cells)
    for function in sources.core.functions.values():
        assert function.head in text
        assert function.solution in text if function.name in sources.given else function.body not in text


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_cell_says_what_it_is_and_ids_are_unique(sources, language):
    notebook = student_notebook(sources, language)
    assert {cell.metadata.attnlab.role for cell in notebook.cells} == {
        "lesson", "given", "solution", "check", *(["helper"] if sources.given else []),
    }  # fmt: skip
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    nbformat.validate(notebook)


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_stub_is_followed_by_its_check(sources, language):
    roles = [
        (cell.metadata.attnlab.role, cell.metadata.attnlab.name) for cell in student_notebook(sources, language).cells
    ]
    code = [pair for pair in roles if pair[0] != "lesson"]
    for function in sources.lab.functions:
        assert ("check", function) in code[code.index(("solution", function)) :]


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
def test_graded_cells_carry_the_points_of_their_parts_and_bonus_cells_none(sources, language):
    points = {}
    for cell in cells(source_notebook(sources, language), "check"):
        assert cell.metadata.nbgrader.locked
        points[cell.metadata.attnlab.name] = cell.metadata.nbgrader.get("points")
    assert points == {part.name: None if part.bonus else sources.lab.points(part.name) for part in sources.lab.parts}
    assert sum(worth for worth in points.values() if worth) == 10


@every_lab
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("answer", [lambda *_: None, lambda *_: 0.0, lambda *_: (0.0, 0.0)], ids=["None", "0", "pair"])
def test_every_graded_cell_executes_an_assertion(sources, language, answer, monkeypatch, capsys):
    monkeypatch.setenv("ATTNLAB_SECRET", "a secret of this test")
    for cell in cells(source_notebook(sources, language), "check"):
        function = sources.lab.part(cell.metadata.attnlab.name).function
        with pytest.raises(CheckFailed):
            exec(cell.source, {function: answer})
    capsys.readouterr()


@every_lab
def test_no_check_cell_passes_without_the_function_it_checks(sources):
    for notebook in (student_notebook(sources, "en"), source_notebook(sources, "en")):
        for cell in cells(notebook, "check"):
            with pytest.raises(NameError):
                exec(cell.source, {})
