"""What can be seen in wrong numbers of lab `attention`, in its own words. Facts only, never a guess at the cause."""

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
    if output.name == "mask":
        return _mask(expected, got, wrong)
    if output.name == "weights":
        return _weights(part, args, expected, got, wrong)
    return None


def _fault(kind, facts, where):
    return Fault(kind, f"attention.{kind}", facts, where=tuple(int(i) for i in where))


def _mask(expected, got, wrong):
    seen = got.astype(bool)
    i, j = np.argwhere(wrong)[0]
    facts = {"row": int(i), "column": int(j)}
    if seen[i, j]:
        return _fault("mask_shows_future", facts, (i, j))
    return _fault("mask_hides_itself" if i == j else "mask_hides_past", facts, (i, j))


def _weights(part, args, expected, got, wrong):
    hidden = _hidden(part, args, expected.shape)
    if hidden is not None:
        leak = hidden & wrong & ~(np.abs(got) < 1e-6)  # (..., T_q, T_k)
        finite = leak & np.isfinite(got)
        if finite.any():
            where = np.argwhere(finite)[0]
            if part.name == "softmax":
                facts = {"where": [int(i) for i in where], "weight": float(got[tuple(where)])}
                return _fault("hidden_not_zero", facts, where)
            facts = {"query": int(where[-2]), "key": int(where[-1]), "weight": float(got[tuple(where)])}
            future = part.function == "causal_self_attention"
            return _fault("weight_on_future" if future else "weight_on_hidden", facts, where)
    if not np.isfinite(got).all():
        return None
    sums = got.sum(axis=-1)  # (..., T_q)
    off = np.abs(sums - 1) > 1e-3
    if off.any() and got.ndim:
        where = np.argwhere(off)[0]
        facts = {"row": int(where[-1]) if len(where) else 0, "sum": float(sums[tuple(where)])}
        entry = np.argwhere(wrong[tuple(where)])
        return _fault("rows_do_not_sum", facts, (*where, *(entry[0] if len(entry) else (0,))))
    return None


def _hidden(part, args, shape):
    if part.name == "softmax":
        return np.isneginf(args[0])
    if part.name == "attention":
        return None if len(args) < 4 or args[3] is None else np.broadcast_to(~args[3], shape)
    return np.broadcast_to(~np.tri(shape[-1], dtype=bool), shape)
