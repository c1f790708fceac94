"""What a target gave for one case, against what was expected: first whether it can be compared, then the numbers."""

from dataclasses import replace

import numpy as np

from .. import texts
from ..labs.model import Case, Check, Fault, Lab, Part

COUNTS = {-1: "_many", 0: "_one"}  # how a number of things is told; 0: it cannot be unpacked at all


def judge(lab: Lab, part: Part, check: Check, case: Case, result: tuple) -> Fault | None:
    """Return the first fault in a `run_case` result, or None if there is nothing to object to."""
    *calls, overwritten = result
    outputs, tolerances = [], []
    for number, answer in enumerate(calls):
        args, expected = case.calls[number], case.expected[number]
        fault, arrays = _usable(part, check, args, expected, answer)
        allowed = case.tolerances[number]
        if fault is None and check.oracle:
            fault = _values(lab, part, args, expected, arrays, allowed)
        if fault is None and answer[2]:
            name = part.inputs[answer[2][0]]
            fault = Fault("changed", "fault.changed", {"input": name})
        if fault is not None:
            return replace(fault, call=number)
        outputs.append(arrays)
        tolerances.append(allowed)
    if check.relation is not None:
        fault = check.relation(case, outputs, tolerances)
        if fault is not None:
            return fault
    if overwritten is not None:
        return Fault("overwritten", "fault.overwritten", {}, outcome="stale", call=overwritten)
    return None


def _usable(part, check, args, expected, answer):
    """Return (fault, arrays): everything short of the values."""
    if answer[0] == "error":
        _, kind, text, place, line = answer
        if kind == "NotImplementedError":
            return Fault("todo", "fault.todo", {}, outcome="todo"), None
        facts = {"type": kind, "text": text, "place": place, "line": line}
        return Fault(f"error {kind}", "fault.error" if line else "fault.error_nowhere", facts, outcome="error"), None
    outputs = answer[1]
    if outputs[0] == ("none",) and (len(part.outputs) == 1 or len(outputs) == 1):
        return Fault("none", "fault.none", {"outputs": _names(part)}), None
    if outputs[0] == "count":
        _, count, name = outputs
        message = "fault.count_array" if name == "ndarray" else f"fault.count{COUNTS.get(count, '')}"
        return Fault(
            "count", message, {"count": count, "type": name, "outputs": _names(part), "n": len(part.outputs)}
        ), None
    arrays = []
    for number, (output, want, described) in enumerate(zip(part.outputs, expected, outputs, strict=True)):
        fault = _one(output, want, described, check, args, part)
        if fault is not None:
            return replace(fault, output=number), None
        arrays.append(described[1])
    return None, tuple(arrays)


def _one(output, want, described, check, args, part):
    kind = described[0]
    facts = {"output": output.name}
    if kind == "none":
        return Fault("none", "fault.output_none", facts)
    if kind == "odd":
        return Fault("type", "fault.type", facts | {"type": described[1]})
    shape = tuple(described[1]) if kind == "big" else described[1].shape
    if shape != want.shape:
        facts |= {"shape": str(shape), "expected": str(want.shape), "inputs": shapes(part, args)}
        return Fault(f"shape {len(shape)}", "fault.shape", facts)
    if output.dtype is not None:
        if described[2] == "list" or described[2] == "tuple":
            return Fault("type", "fault.type", facts | {"type": described[2]})
        if check.dtype and str(described[1].dtype) != output.dtype:
            return Fault("dtype", "fault.dtype", facts | {"dtype": str(described[1].dtype), "expected": output.dtype})
    return None


def _values(lab, part, args, expected, got, allowed):
    """Look at the last output first: what comes back beside the answer, such as the weights, explains it."""
    for number in reversed(range(len(part.outputs))):
        output, want, have = part.outputs[number], expected[number], got[number]
        wrong = wrong_entries(want, have, allowed[number])
        if not wrong.any():
            continue
        fault = lab.observe(part, args, want, have, output, wrong) if lab.observe else None
        if fault is None:
            fault = _plain(output, want, have, wrong)
        return replace(fault, output=number)
    return None


def wrong_entries(expected: np.ndarray, got: np.ndarray, tol: float) -> np.ndarray:
    """Return where `got` is further than `tol` from `expected`; shapes are equal, and NaN equals nothing."""
    if expected.dtype == bool:
        return (got != 0) != expected
    if got.dtype == bool:
        got = got.astype(float)
    with np.errstate(all="ignore"):
        return ~(np.abs(got - expected) <= tol)


def _plain(output, want, have, wrong):
    bad = wrong & ~np.isfinite(have)
    where = tuple(int(i) for i in np.argwhere(bad if bad.any() else wrong)[0])
    got, expected = texts.told_apart(have[where].item(), want[where].item())
    facts = {
        "output": output.name, "index": str(list(where)) if where else "", "got": got, "expected": expected,
        "count": int(wrong.sum()), "size": int(wrong.size),
    }  # fmt: skip
    if bad.any():
        return Fault("not a number", "fault.not_finite", facts, where=where)
    return Fault("value", "fault.value", facts, where=where)


def shapes(part: Part, args: tuple) -> str:
    """Return the shapes of the inputs, as in ``Q (2, 3), K (4, 3)``."""
    told = [
        f"{name} {value.shape}" if isinstance(value, np.ndarray) else f"{name} = {value}"
        for name, value in zip(part.inputs, args, strict=False)
    ]
    return ", ".join(told)


def _names(part):
    return ", ".join(output.name for output in part.outputs)
