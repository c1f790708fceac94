"""What the tests share: a lab, its visible cases, and ways to judge a piece of source as a student's file.

A test asks for `lab` and gets the first one; marked with `every_lab` it is run for each, so that a new lab is proven by
tests that are there. ``-k LAB`` runs those of one lab.
"""

import os
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from attnlab import labs
from attnlab.checking import cases as drawn
from attnlab.checking import engine
from attnlab.sandbox.here import HereTarget
from attnlab.sandbox.process import Limits, ProcessTarget

ROOT = Path(__file__).parents[1]


def fair(lab):
    """Return the right files of a lab."""
    return sorted((ROOT / "tests" / "fair" / lab).glob("*.py"))


def wrong(lab):
    """Return the wrong files of a lab."""
    return sorted((ROOT / "tests" / "wrong" / lab).glob("*.py"))


def each_lab_s(argument, of_lab, name):
    """Run a test for each lab and each of what `of_lab` gives for its name, under ``LAB-NAME``."""
    pairs = [pytest.param(lab, item, id=f"{lab}-{name(item)}") for lab in labs.LABS for item in of_lab(lab)]
    return pytest.mark.parametrize(("lab", argument), pairs, indirect=["lab"])


every_lab = pytest.mark.parametrize("lab", labs.LABS, indirect=True)
every_misconception = each_lab_s("misconception", lambda lab: labs.get(lab).misconceptions(), lambda m: m.id)
every_fair_file = each_lab_s("path", fair, lambda path: path.stem)
every_wrong_file = each_lab_s("path", wrong, lambda path: path.stem)
FAIR = fair(labs.LABS[0])


@pytest.fixture(scope="session")
def lab(request):
    """A lab: the first one, unless the test asks for another."""
    return labs.get(getattr(request, "param", labs.LABS[0]))


@pytest.fixture(scope="session")
def cases(lab):
    """Its visible cases."""
    return drawn.visible(lab)


@pytest.fixture(scope="session")
def solution(lab):
    """The source of the reference solution, as students would hand it in."""
    return (ROOT / "solutions" / f"{lab.name}.py").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def judged_here(lab, cases):
    """``judged_here(source) -> Report``: run in this process what is known to do no harm. Starting one takes longer."""

    def judge(source):
        namespace = {"__name__": "student"}
        exec(compile(source, "student.py", "exec"), namespace)
        functions = {name: namespace[name] for name in lab.functions}
        return engine.check(lab, HereTarget(functions), cases, shrink=False)

    return judge


@pytest.fixture(scope="session")
def judged(lab, cases):
    """``judged(source, **options) -> Report``: run `source` in a process of its own."""

    def judge(source, *, shrink=False, parts=None, limits=None, chunks=None):
        target = ProcessTarget(chunks or [("student.py", source)], lab.functions, limits=limits)
        try:
            return engine.check(lab, target, cases, shrink=shrink, parts=parts)
        finally:
            target.close()

    return judge


@pytest.fixture(scope="session")
def quick():
    """Limits for submissions that are known never to end."""
    return Limits(load=1.0, case=0.5, after_timeout=0.5)
