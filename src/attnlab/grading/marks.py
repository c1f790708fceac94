"""What a mark is: the visible and the hidden cases judged together, and credit for work that is right but for a helper.

Both ways of grading use it: nbgrader's kernel through `attnlab.grading.cells.mark`, and `attnlab grade`.
"""

import hashlib
import os
from dataclasses import replace
from functools import cache

from .. import labs
from ..checking import cases as drawn
from ..checking.report import PartResult, Report
from ..labs.model import Case

SECRET_VARIABLE = "ATTNLAB_SECRET"
SHARE_VARIABLE = "ATTNLAB_CARRIED_SHARE"
DEFAULT_SHARE = 0.5


def carried_share() -> float:
    """Return which share of a check's points is credited if it is right given right helpers: a course setting."""
    try:
        return min(1.0, max(0.0, float(os.environ.get(SHARE_VARIABLE, DEFAULT_SHARE))))
    except ValueError:
        return DEFAULT_SHARE


def secret() -> str:
    """Return the secret of the course in force: its configuration sets it."""
    return os.environ.get(SECRET_VARIABLE, "")


def cases_for_marks(lab: str, secret: str, parts: tuple[str, ...] | None = None) -> dict[str, tuple[Case, ...]]:
    """Return the visible cases of some parts followed by hidden ones, drawn from the course's secret.

    What is shown of a failed check comes from the visible cases; of the hidden ones no input or expected value is told.
    """
    shown = drawn.visible(labs.get(lab))
    return {check: shown[check] + hidden for check, hidden in hidden_cases(lab, secret, parts).items()}


def hidden_cases(lab: str, secret: str, parts: tuple[str, ...] | None = None) -> dict[str, tuple[Case, ...]]:
    """Return the hidden cases of some parts, drawn from the course's secret."""
    names = [part.name for part in labs.get(lab).parts if parts is None or part.name in parts]
    return {check: cases for name in names for check, cases in _drawn(lab, name, secret).items()}


@cache
def _drawn(lab, part, secret):
    seed = int.from_bytes(hashlib.sha256(f"{lab}/{secret}".encode()).digest()[:4], "big")
    return drawn.draw(labs.get(lab), seed, (part,), hidden=True)


def with_credit(report: Report, share: float) -> Report:
    """Return `report` with `share` of the points of each failed check that passes with right helpers."""
    return replace(report, parts=tuple(_credited(result, share) for result in report.parts))


def _credited(result: PartResult, share: float) -> PartResult:
    right = {c.check.id for c in result.given or () if c.outcome == "passed"}
    checks = tuple(
        replace(c, carried=share * c.check.points) if c.outcome != "passed" and c.check.id in right else c
        for c in result.checks
    )
    return replace(result, checks=checks)
