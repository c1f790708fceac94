"""`mark`: what a graded cell of the nbgrader course calls instead of `check`. Other cases, and partial points.

Points count only where the visible cases and the hidden ones agree. What the student reads comes from the visible
cases; of the hidden ones only the fact that they failed is told, never an input or an expected value.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace

from .. import labs, notebook
from ..checking import cases as drawn
from ..checking.report import CheckResult, PartResult, Report
from ..labs.model import Fault

SECRET_VARIABLE = "ATTNLAB_SECRET"


def mark(part: str, function: Callable, lab: str = "attention", lang: str | None = None) -> float:
    """Judge a function on the course's hidden cases, show the card, and return the points.

    As the last expression of a cell the number is nbgrader's partial credit.

    Raises
    ------
    CheckFailed
        If no point is gained: nbgrader would take a bare 0 for "no partial credit" in some versions.
    """
    lang = notebook.language(lang)
    shown = notebook.judge(part, function, lab)
    hidden = notebook.judge(part, function, lab, cases=hidden_cases(lab, part), shrink=False)
    report = both(shown, hidden)
    notebook.show(report, lang)
    (result,) = report.parts
    if result.score == 0:
        raise notebook.CheckFailed(notebook.plain(notebook.Words(report, lang), result)) from None
    return float(result.score)


def hidden_cases(lab: str, part: str):
    """Draw the cases of one part from the course's secret."""
    secret = os.environ.get(SECRET_VARIABLE, "")
    seed = int.from_bytes(hashlib.sha256(f"{lab}/{secret}".encode()).digest()[:4], "big")
    return drawn.draw(labs.get(lab), seed, (part,))


def both(shown: Report, hidden: Report) -> Report:
    """Return the report in which a check passed only if it passed on the visible and on the hidden cases."""
    (seen,), (unseen,) = shown.parts, hidden.parts
    checks = tuple(a if a.outcome != "passed" else _hidden(b) for a, b in zip(seen.checks, unseen.checks, strict=True))
    status = next((c.outcome for c in checks if c.outcome != "passed"), "passed")
    return replace(shown, parts=(PartResult(seen.part, status, checks),))


def _hidden(result: CheckResult) -> CheckResult:
    if result.outcome == "passed":
        return result
    return CheckResult(result.check, result.outcome, Fault("hidden", "fault.hidden", {}, outcome=result.outcome))
