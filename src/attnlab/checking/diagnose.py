"""Diagnosis from behaviour: which known misconception, or which two at once, a failed part behaves like.

Named only where the student's results and the wrong version's agree on every case on which either is wrong, and only
if nothing else agrees as well; never the nearest match, and never anything read out of the source.
"""

from dataclasses import replace
from functools import cache, cached_property
from itertools import combinations, product

import numpy as np

from ..labs.model import Case, Check, Lab, Part
from . import compare, suspects
from .cases import arrays_in

MIN_COMMON = 2  # wrong numeric results that must agree: a shared exception alone says little
FEW_PAIRS = 700  # are all compared with what was seen; of more, those that may explain it
MAX_PAIRS = 3000  # compared with what was seen; where more come into question, none is named
NO_SUCH_NAME = ("NameError", "UnboundLocalError")  # what comes of two edits that do not go together

MAX_KNOWN = 20_000  # answers of wrong versions kept for the next submission: a whole class gets the same cases
_KNOWN: dict[tuple, "_Given"] = {}

RIGHT, SAME, OTHER = "right", "same", "other"  # what one wrong version gives, next to what the student's gave


def diagnose(lab: Lab, part: Part, seen, run_case) -> tuple[str, ...]:
    """Return the ids of the misconceptions that explain everything seen: one, or else two, or else none.

    Parameters
    ----------
    seen : sequence of (Case, result)
        The cases answered, and what came of them. Only first calls are looked at.
    run_case : callable
        How the target runs a function on a case, so that a wrong version is run just as the student's was.
    """
    lab = replace(lab, observe=None)  # whether something is wrong matters here, not in which words it is told
    cases = [(case, result[0], _is_wrong(lab, part, case, result[0])) for case, result in seen]
    cases.sort(key=lambda item: (not item[2], _size(item[0])))  # small wrong ones first: they tell soonest
    if sum(wrong for *_, wrong in cases) < MIN_COMMON:
        return ()
    own, helpers = suspects.of_part(lab, part.name), suspects.of_helpers(lab, part)
    for tier in (own, helpers):
        matches = {s.idea for s in tier if _explains(lab, part, (s,), cases, run_case)}
        if matches:
            return (matches.pop(),) if len(matches) == 1 else ()
    return _pair(lab, part, own, helpers, cases, run_case)


def _pair(lab, part, own, helpers, cases, run_case):
    """Find the two ideas that together explain everything: both in the function itself, or one in a helper.

    Zeros, NaN and the like come of very different mistakes, so two of them are only seen in results that tell more.
    There are thousands of pairs. Where one fault is silent, the other one should account for what is seen; a few cases
    leave only those to be compared in full for which that mostly holds (mostly, for one fault may hide behind another).
    """
    if sum(wrong and _tells(theirs) for _, theirs, wrong in cases) < MIN_COMMON:
        return ()
    probes = _probes(cases)
    told = cache(lambda suspect: _beside(lab, part, suspect, probes, run_case))
    for tier in (list(combinations(own, 2)), list(product(own, helpers))):
        left = [(a, b) for a, b in tier if a.idea != b.idea]
        if len(left) > FEW_PAIRS:
            left = [(a, b) for a, b in left if _may_be(told(a), told(b), probes)]
        if len(left) > MAX_PAIRS:
            return ()
        matches = {}
        for one, other in left:
            if _explains(lab, part, (one, other), cases, run_case):
                matches.setdefault(frozenset((one.idea, other.idea)), (one.idea, other.idea))
        if matches:
            return next(iter(matches.values())) if len(matches) == 1 else ()
    return ()


def _probes(cases):
    """Choose the largest case of each check, a wrong one if there is one: on small ones a fault is silent by chance."""
    found = {}
    for case, theirs, wrong in sorted(cases, key=lambda item: (item[2], _size(item[0]))):
        found[case.check] = case, theirs, wrong
    return list(found.values())


def _beside(lab, part, suspect, probes, run_case):
    """Return for each probe whether a wrong version is right on it, or gives the same as the student's, or neither."""
    told = []
    for case, theirs, _ in probes:
        ours = _given(lab, part, (suspect,), case, run_case)
        told.append(RIGHT if not ours.is_wrong else SAME if _same(theirs, ours.answer, case) else OTHER)
    return told


def _may_be(one, other, probes):
    """Say whether two faults may be what the probes show: where one is silent, all should be the other's doing."""
    against = sum(
        RIGHT in (a, b) and (b if a == RIGHT else a) != (SAME if wrong else RIGHT)
        for a, b, (_, _, wrong) in zip(one, other, probes, strict=True)
    )
    return against <= len(probes) // 3


class _Given:
    """What the reference with some faults in it gives on one case; None for faults that do not go together."""

    def __init__(self, lab, part, faults, case, run_case):
        self._asked = lab, part, case  # the case is held: its id must not be given to another
        function = suspects.put_in(lab, part, *faults)
        self.answer = function and run_case(function, len(part.outputs), case.layout, case.calls[:1])[0]

    @cached_property
    def is_wrong(self):
        """Whether it is wrong: found out when asked for, because it takes longer than the answer."""
        return _is_wrong(*self._asked, self.answer)


def _given(lab, part, faults, case, run_case) -> _Given:
    key = lab.name, part.name, faults, id(case)
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= MAX_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[key] = _Given(lab, part, faults, case, run_case)
    return found


def _explains(lab, part, faults, cases, run_case):
    common = 0
    for case, theirs, wrong in cases:
        ours = _given(lab, part, faults, case, run_case)
        if ours.answer is None or (ours.answer[0] == "error" and ours.answer[1] in NO_SUCH_NAME):
            return False
        if wrong and not _same(theirs, ours.answer, case):
            return False
        if wrong != ours.is_wrong:
            return False
        if not wrong:
            continue
        common += theirs[0] == "ok" and theirs[1][0][0] == "array"
    return common >= MIN_COMMON


def _is_wrong(lab, part, case: Case, answer) -> bool:
    first = Case(case.check, case.strategy, case.calls[:1], case.layout, case.expected[:1], case.tolerances[:1])
    check = next((check for check in lab.checks if check.id == case.check), None)
    plain = Check(case.check, part.name, 0, "", dtype=True, memory=check and check.memory)
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


def _size(case):
    return sum(a.size for a in arrays_in(case.calls[0]))


def _tells(answer) -> bool:
    """Say whether every output is an array, and one has finite entries that differ: the same all over tells little."""
    outputs = answer[1] if answer[0] == "ok" and answer[1][0] != "count" else (("none",),)
    if any(output[0] != "array" for output in outputs):
        return False
    finite = [array[np.isfinite(array)] for _, array, _ in outputs]
    return any(entries.size and entries.min() != entries.max() for entries in finite)
