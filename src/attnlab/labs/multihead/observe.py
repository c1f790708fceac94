"""What can be seen in wrong numbers of lab `multihead`, in its own words. Facts only, never a guess at the cause."""

import numpy as np

from ..model import Fault

MOVED = ("split_heads", "merge_heads", "repeat_kv")  # parts whose every number stands somewhere in the input


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
    if part.name in MOVED:
        return _moved(args[0], expected, got, wrong)
    if output.name == "weights":
        return _weights(args, part, expected, got, wrong)
    return None


def _fault(kind, facts, where):
    return Fault(kind, f"multihead.{kind}", facts, where=tuple(int(i) for i in where))


def _moved(x, expected, got, wrong):
    """Say from where the number came that stands in a wrong place, where nothing else was done to the numbers."""
    if not np.isin(got, x).all():
        return None
    where = tuple(np.argwhere(wrong)[0])
    source, wanted = _only_place(x, got[where]), _only_place(x, expected[where])
    if source is None or wanted is None:
        return None
    facts = {"where": _index(where), "source": _index(source), "wanted": _index(wanted)}
    return _fault("from_elsewhere", facts, where)


def _only_place(x, value):
    places = np.argwhere(x == value)
    return tuple(places[0]) if len(places) == 1 else None


def _index(where):
    return str([int(i) for i in where])


def _weights(args, part, expected, got, wrong):
    if not np.isfinite(got).all():
        return None
    mask = args[len(part.inputs) - 1] if len(args) == len(part.inputs) else None
    if mask is not None:
        leak = wrong & ~np.broadcast_to(mask, expected.shape) & (np.abs(got) > 1e-6)  # (..., H, T, T)
        if leak.any():
            where = np.argwhere(leak)[0]
            *_, head, query, key = (int(i) for i in where)
            facts = {"head": head, "query": query, "key": key, "weight": float(got[tuple(where)])}
            return _fault("weight_on_hidden", facts, where)
    sums = got.sum(axis=-1)  # (..., H, T)
    off = np.abs(sums - 1) > 1e-3  # (..., H, T)
    if off.any():
        where = np.argwhere(off)[0]
        *_, head, row = (int(i) for i in where)
        entry = np.argwhere(wrong[tuple(where)])
        facts = {"head": head, "row": row, "sum": float(sums[tuple(where)])}
        return _fault("rows_do_not_sum", facts, (*where, *(entry[0] if len(entry) else (0,))))
    return _right_for_another_head(expected, got, wrong)


def _right_for_another_head(expected, got, wrong):
    """Say that one head's weights are what another head's should be."""
    for *lead, head in np.argwhere(wrong.any(axis=(-1, -2))):
        for other in range(expected.shape[-3]):
            if other != head and np.allclose(got[(*lead, head)], expected[(*lead, other)], rtol=0, atol=1e-4):
                where = (*lead, head, *np.argwhere(wrong[(*lead, head)])[0])
                return _fault("another_heads_weights", {"head": int(head), "other": int(other)}, where)
    return None
