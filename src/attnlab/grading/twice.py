"""A mark in two runs that share nothing: one on the visible cases, from which all is told, then one on the hidden ones.

Code that has seen a hidden input could put it into an exception that it raises, or an array that it returns, on a later
case whose outcome is shown. So hidden cases come last, in a process of their own, and of them only outcomes are taken.
"""

from collections.abc import Callable
from dataclasses import replace

from ..checking import cases as drawn
from ..checking import engine
from ..checking.report import CheckResult, PartResult, Report
from ..labs.model import Fault, Lab
from .marks import hidden_cases, with_credit


def judge(
    lab: Lab, start: Callable, secret: str, share: float, parts: tuple[str, ...] | None = None, shrink: bool = False
) -> tuple[Report, bool]:
    """Judge a submission for marks.

    Parameters
    ----------
    lab : Lab
    start : callable
        Returns a fresh target of the submission each time.
    secret : str
        The hidden cases are drawn from it.
    share : float
        Credit for checks that pass with right helpers.
    parts : tuple of str, optional
        Judge these only.
    shrink : bool
        Whether to search for the smallest counterexamples.

    Returns
    -------
    report : Report
        A check passed if it did on the visible and on the hidden cases.
    wall_limited : bool
        Whether waiting, not computing, used up a limit: the machine may have been busy.
    """
    with start() as target:
        shown = engine.check(lab, target, drawn.visible(lab), parts=parts, shrink=shrink)
        limited = target.wall_limited
    lost = {result.part.name: result for result in shown.parts if not _right(result)}
    helped = {r.part.name: r for r in shown.parts if r.given and all(c.outcome != "passed" for c in r.checks)}
    names = tuple(result.part.name for result in shown.parts)
    if len(lost) < len(names):
        with start() as target:
            cases = hidden_cases(lab.name, secret, tuple(name for name in names if name not in lost))
            hidden = engine.check(lab, target, cases, parts=names, shrink=False, name=False, known=lost, failed=helped)
            limited = limited or target.wall_limited
        pairs = zip(shown.parts, hidden.parts, strict=True)
        shown = replace(shown, parts=tuple(_both(one, other) for one, other in pairs))
    return with_credit(shown, share), limited


def _right(result: PartResult) -> set[str]:
    """Return the checks that pass as they are or with right helpers."""
    return {c.check.id for c in (*result.checks, *(result.given or ())) if c.outcome == "passed"}


def _both(shown: PartResult, hidden: PartResult) -> PartResult:
    """Return what is told of a part: all from the visible cases, of the hidden ones only that they failed."""
    checks = tuple(
        b if a.outcome == "passed" == b.outcome else _untold(b) if a.outcome == "passed" else a
        for a, b in zip(shown.checks, hidden.checks, strict=True)
    )
    status = next((c.outcome for c in checks if c.outcome != "passed"), "passed")
    if status == "passed":
        return replace(shown, checks=checks)
    right = _right(shown) & _right(hidden)
    given = tuple(CheckResult(c.check, "passed") for c in checks if c.check.id in right)
    helped = [result.right_given_right_helpers for result in (shown, hidden) if result.status != "passed"]
    return replace(
        shown, status=status, checks=checks, given=given,
        right_given_right_helpers=None if None in helped else all(helped),
    )  # fmt: skip


def _untold(result: CheckResult) -> CheckResult:
    return CheckResult(result.check, result.outcome, Fault("hidden", "fault.hidden", {}, outcome=result.outcome))
