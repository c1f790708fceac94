"""`mark`: what a graded cell of the nbgrader course calls instead of `check`. Other cases, and partial points."""

from collections.abc import Callable

from .. import labs, notebook
from .marks import carried_share, cases_for_marks, secret, with_credit


def mark(part: str, function: Callable, lab: str | None = None, lang: str | None = None) -> float:
    """Judge a function on the visible and the hidden cases, show the card, and return the points.

    As the last expression of a cell the number is nbgrader's partial credit.

    Raises
    ------
    CheckFailed
        If no point is gained: nbgrader would take a bare 0 for "no partial credit" in some versions.
    """
    lang, lab = notebook.language(lang), lab or notebook.home(part)
    uses = labs.get(lab).part(part).uses
    cases = cases_for_marks(lab, secret(), (*uses, part))
    report = with_credit(notebook.judge(part, function, lab, cases), carried_share())
    notebook.show(report, part, lang)
    result = report.part(part)
    if result.score == 0:
        raise notebook.CheckFailed(notebook.plain(notebook.Words(report, lang), result)) from None
    return float(result.score)
