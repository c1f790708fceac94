"""`mark`: what a graded cell of the nbgrader course calls instead of `check`. Other cases, and partial points.

Points count only where the visible cases and the hidden ones agree; work that is right given right helpers gets a share
of them. What the student reads comes from the visible
cases; of the hidden ones only the fact that they failed is told, never an input or an expected value.
"""

import hashlib
import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache

from .. import labs, notebook
from ..checking import cases as drawn
from ..checking.report import CheckResult, PartResult, Report
from ..labs.model import Fault

SECRET_VARIABLE = "ATTNLAB_SECRET"
SHARE_VARIABLE = "ATTNLAB_CARRIED_SHARE"


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
    report = both(shown, hidden, part, carried_share())
    notebook.show(report, part, lang)
    result = report.part(part)
    if result.score == 0:
        raise notebook.CheckFailed(notebook.plain(notebook.Words(report, lang), result)) from None
    return float(result.score)


def carried_share() -> float:
    """Return which share of a check's points is credited if it is right given right helpers: a course setting."""
    try:
        return min(1.0, max(0.0, float(os.environ.get(SHARE_VARIABLE, "0.5"))))
    except ValueError:
        return 0.5


def hidden_cases(lab: str, part: str):
    """Draw the cases of one part, and of the parts it uses, from the course's secret."""
    secret = os.environ.get(SECRET_VARIABLE, "")
    return {k: v for p in (*labs.get(lab).part(part).uses, part) for k, v in _drawn(lab, p, secret).items()}


@cache
def _drawn(lab, part, secret):
    seed = int.from_bytes(hashlib.sha256(f"{lab}/{secret}".encode()).digest()[:4], "big")
    return drawn.draw(labs.get(lab), seed, (part,))


def both(shown: Report, hidden: Report, part: str, share: float) -> Report:
    """Return the report in which a check passed only if it passed on the visible and on the hidden cases.

    A check that passes in both only with right functions in place of the failed ones gets `share` of its points.
    """
    seen, unseen = shown.part(part), hidden.part(part)
    checks = tuple(a if a.outcome != "passed" else _hidden(b) for a, b in zip(seen.checks, unseen.checks, strict=True))
    right = _right_given(seen) & _right_given(unseen)
    checks = tuple(
        replace(c, carried=share * c.check.points) if c.outcome != "passed" and c.check.id in right else c
        for c in checks
    )
    status = next((c.outcome for c in checks if c.outcome != "passed"), "passed")
    given = seen.right_given_right_helpers and unseen.right_given_right_helpers
    result = replace(seen, status=status, checks=checks, right_given_right_helpers=given)
    return replace(shown, parts=tuple(result if r.part.name == part else r for r in shown.parts))


def _right_given(result: PartResult) -> set[str]:
    """Return the checks that pass as they are or with right helpers."""
    return {c.check.id for c in (*result.checks, *(result.given or ())) if c.outcome == "passed"}


def _hidden(result: CheckResult) -> CheckResult:
    if result.outcome == "passed":
        return result
    return CheckResult(result.check, result.outcome, Fault("hidden", "fault.hidden", {}, outcome=result.outcome))
