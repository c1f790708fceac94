"""What can be seen in wrong numbers of lab `gates`, in its own words. Facts only, never a guess at the cause."""

import numpy as np

from ..model import Fault


def observe(part, args, expected, got, output, wrong):
    """Describe the wrong entries of one output, or return None if there is nothing better than the two numbers.

    Parameters
    ----------
    part : Part
    args : tuple
        The arguments of the call.
    expected, got : ndarray, shape (...)
        Of equal shape.
    output : Output
    wrong : ndarray of bool, shape (...)
        Entries beyond the tolerance.
    """
    if not np.isfinite(got).all():
        return None
    if output.name == "weights":
        return _weights(args, expected, got, wrong)
    if output.name == "gate" and expected.ndim >= 3 and part.name == "gate_values":
        return _gate(args, expected, got)
    return None


def _fault(kind, facts, where):
    return Fault(kind, f"gates.{kind}", facts, where=tuple(int(i) for i in where))


def _weights(args, expected, got, wrong):
    mask = args[10] if len(args) > 10 else None
    if mask is not None:
        leak = ~np.broadcast_to(mask, expected.shape) & wrong  # (..., H, T, T)
        if leak.any():
            where = np.argwhere(leak)[0]
            facts = {"head": where[-3], "query": where[-2], "key": where[-1], "weight": float(got[tuple(where)])}
            return _fault("weight_on_hidden", {k: v if k == "weight" else int(v) for k, v in facts.items()}, where)
    off = np.abs(got.sum(axis=-1) - 1) > 1e-3  # (..., H, T)
    if off.any():
        where = np.argwhere(off)[0]
        facts = {"head": int(where[-2]), "row": int(where[-1]), "sum": float(got[tuple(where)].sum())}
        return _fault("rows_do_not_sum", facts, (*where, np.argwhere(wrong[tuple(where)])[0][0]))
    return None


def _gate(args, expected, got):
    """Tell of an axis along which the gate should differ and does not, or should not and does."""
    for axis, name in ((-3, "heads"), (-1, "channels")):
        should, does = _varies(expected, axis), _varies(got, axis)
        if should.any() and not does.any():
            return _fault(f"same_for_all_{name}", {"width": args[1].shape[1]}, np.argwhere(should)[0])
        if does.any() and not should.any():
            return _fault(f"differs_between_{name}", {"width": args[1].shape[1]}, np.argwhere(does)[0])
    return None


def _varies(gate, axis):
    """Return where an entry differs from the first one along an axis."""
    return np.abs(gate - gate.take([0], axis=axis)) > 1e-6  # (..., H, T, D)
