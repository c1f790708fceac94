"""Work that stands in modules: an import is no answer, but what was handed in beside a notebook can be imported."""

import json

import pytest
from conftest import ROOT

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

from arrivals import released_notebook, work_of
from arrivals.packaging import cell, code, place, write

from attnlab import texts
from attnlab.grading.arrivals import SourceNotebook, collect
from attnlab.grading.worker import PACKAGES
from attnlab.sandbox import tiers
from attnlab.sandbox.host import Host
from attnlab.sandbox.limits import Limits

NAMES = ("causal_mask", "softmax", "attention", "causal_self_attention")


@pytest.fixture(scope="module")
def source():
    """The source notebook of the course."""
    (found,) = SourceNotebook.load_all(ROOT / "grading" / "source" / "attention")
    return found


@pytest.fixture
def work(source, solution):
    """The reference solution in the released notebook, to be spoilt."""
    return work_of(solution, released_notebook(source)).fresh()


@pytest.fixture(scope="module")
def host():
    """Where student code runs when it is graded."""
    host = Host(tiers.choose("auto"), Limits(), PACKAGES)
    yield host
    host.close()


@pytest.fixture
def arrived(tmp_path, source):
    """``arrived() -> Arrival``: what was handed in in the test's folder."""
    return lambda: collect(tmp_path, [source])[0]


@pytest.fixture
def surveyed(host):
    """``surveyed(arrival) -> Survey``: what a confined process says of the functions in it."""

    def survey(arrival):
        assert arrival.unreadable is None
        with host.target(arrival.chunks, NAMES, name="__main__") as target:
            return target.survey()

    return survey


def messages(arrival):
    for note in arrival.notes:
        assert texts.say("ru", note.message, note.facts) != texts.say("en", note.message, note.facts)
    return [note.message for note in arrival.notes]


def imports(notebook, *names, home="attention"):
    """Put imports in place of answers."""
    for name in names:
        cell(notebook, f"stub-{name}")["source"] = f"from {home} import {name}"
    return notebook


def test_an_import_is_no_answer(work, tmp_path, arrived):
    write(tmp_path, imports(work, *NAMES, "sigmoid", home="nowhere"))
    write(tmp_path, {**work, "cells": [code("def softmax(x):\n    return x")]}, "other.ipynb")
    assert arrived().path.name == "other.ipynb"


@pytest.mark.parametrize("line", ["from attention import *", "import attention\nsoftmax = attention.softmax"])
def test_functions_imported_from_a_file_beside_are_found(line, work, tmp_path, arrived, surveyed, solution):
    work["cells"] = [c for c in work["cells"] if not c["id"].startswith("stub-")]
    work["cells"].insert(place(work, "given-setup") + 1, code(line))
    write(tmp_path, work)
    (tmp_path / "attention.py").write_text(solution, encoding="utf-8")
    assert surveyed(arrived()).functions["softmax"] == "there"


def test_each_function_may_be_imported(work, tmp_path, arrived, surveyed, solution):
    write(tmp_path, imports(work, *NAMES))
    (tmp_path / "attention.py").write_text(solution, encoding="utf-8")
    arrival = arrived()
    assert set(surveyed(arrival).functions.values()) == {"there"}
    assert arrival.path.name == "attention.ipynb"
    assert messages(arrival) == ["arrival.beside"]


def test_modules_may_import_one_another_and_keep_their_lines(work, tmp_path, arrived, surveyed, host):
    (tmp_path / "helpers.py").write_text("import deeper\n\n\ndef f(x):\n    return deeper.g(x)\n", encoding="utf-8")
    (tmp_path / "deeper.py").write_text("# g\ndef g(x):\n    return 1 / 0\n", encoding="utf-8")
    (tmp_path / "unused.py").write_text("raise SystemExit\n", encoding="utf-8")
    cell(work, "stub-softmax")["source"] = "from helpers import f\n\ndef softmax(x):\n    return f(x)\n\nsoftmax(1)"
    write(tmp_path, work)
    (problem,) = surveyed(arrived()).problems
    assert (problem.kind, problem.place, problem.line) == ("ZeroDivisionError", "deeper.py", 3)


def test_a_module_that_is_no_python_is_told_with_its_line(work, tmp_path, arrived, surveyed):
    (tmp_path / "helpers.py").write_text("x = 1\ndef f(:\n", encoding="utf-8")
    cell(work, "stub-softmax")["source"] = "import helpers\n\ndef softmax(x):\n    return helpers.f(x)"
    write(tmp_path, work)
    (problem,) = surveyed(arrived()).problems
    assert problem.kind == "SyntaxError"
    assert "helpers.py, line 2" in problem.text


def test_a_cell_may_write_a_module(work, tmp_path, arrived, surveyed):
    answer = cell(work, "stub-softmax")["source"]
    cell(work, "stub-softmax")["source"] = "from mine import softmax"
    first = code("%%writefile mine.py\nimport numpy as np", "one")
    at = place(work, "stub-softmax")
    work["cells"][at:at] = [first, code(f"%%writefile -a mine.py\n{answer}", "two")]
    write(tmp_path, work)
    arrival = arrived()
    assert set(surveyed(arrival).functions.values()) == {"there"}
    assert messages(arrival) == ["arrival.beside"]


def test_magics_that_leave_nothing_of_a_cell_are_told(work, tmp_path, arrived):
    work["cells"].append(code("%%bash\nls", "shell"))
    write(tmp_path, work)
    assert messages(arrived()) == ["arrival.magics"]


def test_a_script_may_import_its_neighbours(tmp_path, arrived, surveyed, solution):
    softmax = solution[solution.index("def softmax") :].partition("\n\n\n")[0]
    rest = solution.replace(softmax, "from soft import softmax\n")
    (tmp_path / "attention.py").write_text(rest + "\nname = __file__\nassert 'attention' in name\n", encoding="utf-8")
    (tmp_path / "soft.py").write_text(f"import numpy as np\n\n{softmax}\n", encoding="utf-8")
    found = surveyed(arrived())
    assert (set(found.functions.values()), found.problems) == ({"there"}, ())


def test_no_file_hides_a_module_that_is_installed(work, tmp_path, arrived, surveyed):
    (tmp_path / "random.py").write_text("raise SystemExit\n", encoding="utf-8")
    (tmp_path / "numpy.py").write_text("raise SystemExit\n", encoding="utf-8")
    work["cells"].append(code("import random, numpy\nassert '__file__' not in globals()", "own"))
    write(tmp_path, work)
    found = surveyed(arrived())
    assert (set(found.functions.values()), found.problems) == ({"there"}, ())


def test_chunks_stay_as_they_are_where_nothing_is_imported(work, tmp_path, arrived):
    write(tmp_path, work)
    (tmp_path / "notes.py").write_text("x = 1\n", encoding="utf-8")
    assert "beside" not in dict(arrived().chunks)
    assert json.dumps(arrived().chunks).count("notes") == 0
