"""What the tests share: the lab, its visible cases, and a way to judge a piece of source as a student's file."""

import os
from pathlib import Path

import pytest

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from attnlab import labs
from attnlab.checking import cases as drawn
from attnlab.checking import engine
from attnlab.sandbox.process import Limits, ProcessTarget

ROOT = Path(__file__).parents[1]
FAIR = sorted((ROOT / "tests" / "fair").glob("*.py"))
WRONG = sorted((ROOT / "tests" / "wrong").glob("*.py"))


@pytest.fixture(scope="session")
def lab():
    """Lab `attention`."""
    return labs.get("attention")


@pytest.fixture(scope="session")
def cases(lab):
    """Its visible cases."""
    return drawn.visible(lab)


@pytest.fixture(scope="session")
def solution():
    """The source of the reference solution, as students would hand it in."""
    return (ROOT / "solutions" / "attention.py").read_text(encoding="utf-8")


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
