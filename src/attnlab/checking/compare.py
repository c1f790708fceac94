"""What a target gave for one case, against what was expected: first whether it can be compared, then the numbers."""

import sys
from dataclasses import replace
from decimal import Decimal

import numpy as np

from .. import texts
from ..labs.model import Case, Check, Fault, Lab, Output, Part, Raises

COUNTS = {-1: "_many", 0: "_one"}  # how a number of things is told; 0: it cannot be unpacked at all
LARGEST = int(sys.float_info.max)


@np.errstate(all="ignore")
def judge(lab: Lab, part: Part, check: Check, case: Case, result: tuple) -> Fault | None:
    """Return the first fault in a `run_case` result, or None if there is nothing to object to."""
    *calls, overwritten = result
    outputs, tolerances = [], []
    for number, answer in enumerate(calls):
        args, expected, allowed = case.calls[number], case.expected[number], case.tolerances[number]
        if isinstance(expected[0], Raises):
            fault, values = _raised(part, args, expected[0], answer), None
        else:
            fault, values = _usable(part, check, args, expected, answer)
            if fault is None and check.oracle:
                fault = _values(lab, part, args, expected, values, allowed)
            if fault is None and answer[2]:
                fault = Fault("changed", "fault.changed", {"input": part.names(args)[answer[2][0]]})
        if fault is not None:
            return replace(fault, call=number)
        outputs.append(values)
        tolerances.append(allowed)
    if check.memory is not None and case.layout == "measured":
        fault = _memory(part, check, case, calls)
        if fault is not None:
            return fault
    if check.relation is not None:
        fault = check.relation(case, outputs, tolerances)
        if fault is not None:
            return fault
    if overwritten is not None and case.layout != "refill":
        return Fault("overwritten", "fault.overwritten", {}, outcome="stale", call=overwritten)
    if overwritten is not None and check.fresh:
        return Fault("shared", "fault.shared", {"output": _names(part)}, call=overwritten)
    return None


def _raised(part, args, expected, answer):
    """Return what is wrong with an answer where an exception is demanded; its subclasses are as good."""
    if answer[0] == "error" and expected.error in (answer[1], *answer[5]):
        return None
    if answer[0] == "error" and answer[1] == "NotImplementedError":
        return Fault("todo", "fault.todo", {}, outcome="todo")
    facts = expected.facts | {"error": expected.error, "because": expected.because, "inputs": shapes(part, args)}
    if answer[0] == "error":
        return Fault(f"error {answer[1]}", "fault.other_error", facts | {"type": answer[1], "text": answer[2]})
    nothing = answer[1] == (("none",),)
    return Fault("none" if nothing else "no error", "fault.no_error", facts)


def _memory(part, check, case, calls):
    """Return the fault of taking too much memory: in every call, for the first one may import something."""
    taken = [answer[3] for answer in calls if answer[0] == "ok"]
    allowed = [check.memory(*args) for args in case.calls]
    if not taken or any(used <= most for used, most in zip(taken, allowed, strict=False)):
        return None
    facts = {"inputs": shapes(part, case.calls[0]), "used": _megabytes(taken[0]), "allowed": _megabytes(allowed[0])}
    return Fault("memory", "fault.memory", facts)


def _megabytes(count):
    return f"{count / 1e6:.0f}" if count >= 1e7 else f"{count / 1e6:.1f}"


def _usable(part, check, args, expected, answer):
    """Return (fault, arrays): everything short of the values."""
    if answer[0] == "error":
        _, kind, text, place, line, _ = answer
        if kind == "NotImplementedError":
            return Fault("todo", "fault.todo", {}, outcome="todo"), None
        facts = {"type": kind, "text": text, "place": place, "line": line}
        return Fault(f"error {kind}", "fault.error" if line else "fault.error_nowhere", facts, outcome="error"), None
    outputs = answer[1]
    alone = len(part.outputs) == 1 or len(outputs) == 1
    if outputs[0] == ("none",) and alone and not (len(expected) == 1 and expected[0] is None):
        return Fault("none", "fault.none", {"outputs": _names(part)}), None
    if outputs[0] == "count":
        _, count, name = outputs
        message = "fault.count_array" if name == "ndarray" else f"fault.count{COUNTS.get(count, '')}"
        return Fault(
            "count", message, {"count": count, "type": name, "outputs": _names(part), "n": len(part.outputs)}
        ), None
    values = []
    for number, (output, want, described) in enumerate(zip(part.outputs, expected, outputs, strict=True)):
        fault = _one(output, want, described, check, args, part)
        if fault is not None:
            return replace(fault, output=number), None
        values.append(_value(output, want, described))
    return None, tuple(values)


def _value(output: Output, want, described):
    """Return one usable output: None, a whole number where one is asked for, else an array of the expected shape.

    Where numbers are due they are float64, whatever came: what is done to them from here on works on any answer.
    """
    if want is None:
        return None
    if isinstance(want, int):
        return int(described[1])
    value = described[1] if described[0] == "array" else max(-LARGEST, min(described[1], LARGEST))
    array = np.asarray(value, None if want.dtype == bool and described[0] == "array" else float)
    return np.broadcast_to(array, want.shape) if output.broadcasts else array


def _one(output, want, described, check, args, part):
    kind = described[0]
    facts = {"output": output.name, "inputs": shapes(part, args)}
    if want is None:
        return None if kind == "none" else Fault("something", "fault.should_be_none", facts)
    if kind == "none":
        return Fault("none", "fault.output_none", facts)
    if kind == "odd":
        return Fault("type", "fault.type", facts | {"type": described[1]})
    shape = tuple(described[1]) if kind == "big" else () if kind == "int" else described[1].shape
    wanted = () if isinstance(want, int) else want.shape
    if kind == "big" or not _fits(output, shape, wanted):
        facts |= {"shape": str(shape), "expected": str(wanted)}
        return Fault(f"shape {len(shape)}", "fault.shape_broadcast" if output.broadcasts else "fault.shape", facts)
    if output.dtype == "integer":
        if kind == "array" and described[1].dtype.kind not in "iu":
            return Fault("dtype", "fault.not_integer", facts | {"got": described[1].item(), "type": described[2]})
    elif output.dtype is not None:
        if described[2] == "list" or described[2] == "tuple":
            return Fault("type", "fault.type", facts | {"type": described[2]})
        if check.dtype and str(described[1].dtype) != output.dtype:
            return Fault("dtype", "fault.dtype", facts | {"dtype": str(described[1].dtype), "expected": output.dtype})
    if kind == "int" and output.dtype != "integer" and want.size and abs(described[1]) > LARGEST:
        return _beyond(output, want, described[1])
    return None


def _beyond(output, want, number):
    """Return the fault of a whole number that is larger than any float: it differs from all that may be expected."""
    first = (0,) * want.ndim
    facts = {"output": output.name, "index": str(list(first)) if first else "", "got": f"{Decimal(number):.3e}"}
    return Fault("value", "fault.not_finite", facts | {"expected": want[first].item()})


def _fits(output, shape, wanted):
    """Say whether a shape is the expected one, or one that broadcasts to it where that is enough."""
    if not output.broadcasts:
        return shape == wanted
    return len(shape) <= len(wanted) and all(
        n in (1, m) for n, m in zip(reversed(shape), reversed(wanted), strict=False)
    )


def _values(lab, part, args, expected, got, allowed):
    """Look at the last output first: what comes back beside the answer, such as the weights, explains it."""
    for number in reversed(range(len(part.outputs))):
        output, want, have = part.outputs[number], expected[number], got[number]
        if want is None:
            continue
        if isinstance(want, int):
            if have != want:
                facts = {"output": output.name, "got": str(have), "expected": str(want)}
                return Fault("value", "fault.number", facts, output=number, where=())
            continue
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
    with np.errstate(all="ignore"):
        return ~((np.abs(got - expected) <= tol) | (got == expected))  # infinities equal themselves


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
    return Fault("value", "fault.value" if where else "fault.number", facts, where=where)


def shapes(part: Part, args: tuple) -> str:
    """Return the shapes of the inputs, as in ``Q (2, 3), K (4, 3)``; numbers and text as they are."""
    told = [
        f"{name} {value.shape}" if _has_shape(value) else f"{name} = {_shown(value)}"
        for name, value in zip(part.names(args), args, strict=True)
    ]
    return ", ".join(told)


def _has_shape(value):
    return isinstance(value, np.ndarray) and value.ndim > 0


def _shown(value):
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_shown, value))}]"
    if _has_shape(value):
        return str(value.shape)
    return repr(value.item() if isinstance(value, np.ndarray | np.generic) else value)


def _names(part):
    return ", ".join(output.name for output in part.outputs)
