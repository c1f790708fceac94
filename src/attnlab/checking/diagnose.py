"""Diagnosis from behaviour: which known misconception a failed part behaves like, if exactly one.

Named only where the student's results and the wrong version's agree on every case on which either is wrong; never the
nearest match, and never anything read out of the source.
"""

import types
from importlib import import_module

import numpy as np

from ..labs.model import Case, Check, Lab, Part
from . import compare

MIN_COMMON = 2  # wrong numeric results that must agree: a shared exception alone says little


def diagnose(lab: Lab, part: Part, seen, run_case) -> str | None:
    """Return the id of the one misconception that explains everything seen, or None.

    Parameters
    ----------
    seen : sequence of (Case, result)
        The cases answered, and what came of them. Only first calls are looked at.
    run_case : callable
        How the target runs a function on a case, so that a wrong version is run just as the student's was.
    """
    cases = [(case, result[0], _is_wrong(lab, part, case, result[0])) for case, result in seen]
    cases.sort(key=lambda item: not item[2])  # wrong ones first: they tell candidates apart soonest
    if sum(wrong for *_, wrong in cases) < MIN_COMMON:
        return None
    for candidates in (_at_home(lab, part), _lifted(lab, part)):
        matches = {id for id, function in candidates if _explains(lab, part, function, cases, run_case)}
        if matches:
            return matches.pop() if len(matches) == 1 else None
    return None


def _at_home(lab, part):
    return [(m.misconception, m.function) for m in lab.misconceptions() if m.part == part.name and not m.stateful]


def _lifted(lab, part):
    """Yield wrong versions of the functions a part uses, put into the reference: the student may have inlined them."""
    core = vars(import_module(lab.core))
    for m in lab.misconceptions():
        if m.part in part.uses and not m.stateful:
            namespace = dict(core)
            for name in lab.functions:
                namespace[name] = types.FunctionType(core[name].__code__, namespace, name, core[name].__defaults__)
            namespace[m.function_name] = m.function
            yield m.misconception, namespace[part.function]


def _explains(lab, part, function, cases, run_case):
    common = 0
    for case, theirs, wrong in cases:
        ours = run_case(function, len(part.outputs), case.layout, case.calls[:1])[0]
        if not wrong and not _is_wrong(lab, part, case, ours):
            continue
        if not _same(theirs, ours, case):
            return False
        common += theirs[0] == "ok" and theirs[1][0][0] == "array"
    return common >= MIN_COMMON


def _is_wrong(lab, part, case: Case, answer) -> bool:
    first = Case(case.check, case.strategy, case.calls[:1], case.layout, case.expected[:1], case.tolerances[:1])
    plain = Check(case.check, part.name, 0, "", dtype=True)
    return compare.judge(lab, part, plain, first, (answer, None)) is not None


def _same(one, other, case) -> bool:
    """Say whether two answers are alike: the same kind of error, or the same arrays within the tolerance."""
    if one[0] != other[0]:
        return False
    if one[0] == "error":
        return one[1] == other[1]
    if one[2] != other[2] or len(one[1]) != len(other[1]):
        return False
    return all(_alike(a, b, tol) for a, b, tol in zip(one[1], other[1], case.tolerances[0], strict=False))


def _alike(a, b, tol):
    if type(a) is not tuple or type(b) is not tuple or a[0] != "array" or b[0] != "array":
        return a == b
    x, y = a[1], b[1]
    if x.shape != y.shape or (x.dtype == bool) != (y.dtype == bool):
        return False
    with np.errstate(all="ignore"):
        x, y = x.astype(float), y.astype(float)
        return bool(((np.abs(x - y) <= tol) | (x == y) | (np.isnan(x) & np.isnan(y))).all())
