"""The smallest counterexample of a failed check: Hypothesis searches again inside the strategy that failed."""

import time
import warnings
from dataclasses import replace

from . import engine
from .cases import arrays_in, size, with_expected
from .target import Lost

EXAMPLES = 60
FIRST_SECONDS = 1.5  # for the first failed check of a part, whose example is the one shown
SECONDS = 0.8  # for all the others together
KEPT = ("todo", "timeout", "died", "missing")  # so are measured cases: too much memory is seen at size only


def shrunk(lab, result, target, seconds: float = FIRST_SECONDS):
    """Return the result of a failed part with its counterexamples made small, after `seconds` at the latest or so."""
    return replace(result, checks=tuple(smallest(lab, result.part, result.checks, target, seconds)))


def smallest(lab, part, results, target, seconds: float = FIRST_SECONDS):
    """Return `results` with the counterexamples made small."""
    made, deadline = [], time.monotonic() + min(seconds, FIRST_SECONDS)
    for result in results:
        if result.counterexample is None or result.outcome in KEPT or result.counterexample.case.layout == "measured":
            made.append(result)
            continue
        try:
            made.append(_smaller(lab, part, result, target, deadline))
        except Lost:
            made.append(result)
        deadline = min(deadline, time.monotonic() + SECONDS)
    return made


def _smaller(lab, part, result, target, deadline):
    check, example = result.check, result.counterexample
    strategies = [s for s in lab.strategies()[check.id] if s.name == example.case.strategy]
    if not strategies:
        return result
    best, best_size = result, _size(example)
    for low in (2, 1):
        if time.monotonic() > deadline:
            break
        found = _search(lab, part, result, target, strategies[0], low, deadline)
        if found is not None and _size(found.counterexample) < best_size:
            best, best_size = found, _size(found.counterexample)
            break
    return best


def _search(lab, part, result, target, strategy, low, deadline):
    import hypothesis

    check, wanted = result.check, result.fault
    best = None

    @hypothesis.seed(0)
    @hypothesis.settings(
        max_examples=EXAMPLES, phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink], database=None,
        deadline=None, suppress_health_check=list(hypothesis.HealthCheck), print_blob=False, report_multiple_bugs=False,
        verbosity=hypothesis.Verbosity.quiet,
    )  # fmt: skip
    @hypothesis.given(strategy.search(check.id, low))
    def look(case):
        nonlocal best
        if time.monotonic() > deadline:
            return
        try:
            case = with_expected(lab, case)
        except Exception:  # made so small that it lies outside the contract: it shows nothing
            return
        answer, fault = engine.judge_again(lab, part, check, case, target)
        if fault is None or fault.kind != wanted.kind:
            return
        fault = replace(fault, outcome=wanted.outcome)
        found = replace(result, fault=fault, counterexample=engine.counterexample(case, answer, fault))
        if best is None or _size(found.counterexample) < _size(best.counterexample):
            best = found  # kept here: past the deadline the search calls itself flaky
        raise _Shown

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of a large case Hypothesis says on stderr that it is large
            look()
    except (_Shown, hypothesis.errors.HypothesisException):
        pass
    return best


class _Shown(Exception):
    pass


def _size(example):
    numbers = [abs(float(v)) for a in arrays_in(example.args) for v in a.ravel() if a.dtype != bool]
    fractions = sum(v != round(v) for v in numbers if v < 1e9)
    return size(example.args), fractions, len(str(example.args))
