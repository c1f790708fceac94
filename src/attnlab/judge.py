"""A path in, a Report out: reads the submission, runs it in a process of its own, checks it against its lab."""

from pathlib import Path

from . import submission, texts
from .checking import cases as drawn
from .checking import engine
from .checking.report import Report
from .checking.target import Problem
from .labs.model import Lab
from .sandbox.process import ProcessTarget


def check_path(path: Path, lab: Lab, lang: str, *, cases=None, shrink: bool = True, progress=None) -> Report:
    """Check a file, a notebook or a folder.

    Parameters
    ----------
    path : Path
    lab : Lab
    lang : str
        Language of the sentence about a file that cannot be read.
    cases : mapping, optional
        Cases to replay; the visible ones by default.
    shrink, progress
        See `attnlab.checking.engine.check`.

    Raises
    ------
    submission.UsageError
        If there is no such path or it is no kind of submission.
    """
    path = submission.find(path, lab.name)
    try:
        work = submission.read(path)
    except submission.Unreadable as error:
        return engine.unreadable(lab, Problem("unreadable", texts.say(lang, error.message, error.facts), path.name))
    target = ProcessTarget(work.chunks, lab.functions, folder=path.resolve().parent, name=work.name)
    try:
        cases = drawn.visible(lab) if cases is None else cases  # while the process starts
        return engine.check(lab, target, cases, shrink=shrink, progress=progress)
    finally:
        target.close()
