"""What can be seen in wrong numbers of lab `masks`, in its own words. Facts only, never a guess at the cause."""

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
    if expected.dtype == bool:
        return _mask(part, args, got, wrong)
    visible = _visible(part, args, expected.shape)
    if output.name == "weights":
        return _weights(part, visible, got, wrong)
    return _out(visible, got, wrong)


def _fault(kind, facts, where):
    return Fault(kind, f"masks.{kind}", facts, where=tuple(int(i) for i in where))


def _mask(part, args, got, wrong):
    where = np.argwhere(wrong)[0]
    seen = bool(got[tuple(where)])
    if part.name == "padding_mask":
        sequence, _, position = (int(i) for i in where)
        facts = {"sequence": sequence, "position": position, "length": int(args[0][sequence])}
        return _fault("padding_shown" if seen else "token_hidden", facts, where)
    if part.name == "sliding_window_mask":
        return _window(args, seen, where)
    if part.name == "from_blocked":
        return _fault("blocked_shown" if seen else "open_hidden", {"where": [int(i) for i in where]}, where)
    return _combined(args, got.shape, seen, where)


def _window(args, seen, where):
    i, j = (int(k) for k in where)
    _, window, *_ = args
    facts = {"row": i, "column": j, "window": window}
    if seen:
        return _fault("future_shown" if j > i else "old_shown", facts, where)
    if i == j:
        return _fault("itself_hidden", facts, where)
    return _fault("window_hidden" if i - j < window else "sink_hidden", facts, where)


def _combined(args, shape, seen, where):
    said = [mask is None or bool(np.broadcast_to(mask, shape)[tuple(where)]) for mask in args]
    facts = {"where": [int(i) for i in where]}
    if seen:
        return _fault("forbidden_shown", facts | {"number": said.index(False)}, where)
    return _fault("allowed_hidden", facts, where)


def _visible(part, args, shape):
    """Return where a row of scores or weights may hold weight, (..., T_q, T_k); None where that is not known."""
    if part.name == "safe_softmax":
        return ~np.isneginf(args[0])
    mask = args[-1] if len(args) == len(part.inputs) else None
    if mask is None:
        return None
    T_k = args[1].shape[-2]  # K of masked_attention, Z of cross_attention
    return np.broadcast_to(mask, (*shape[:-1], T_k))


def _weights(part, visible, got, wrong):
    softmax = part.name == "safe_softmax"
    if visible is not None:
        empty = wrong & ~visible.any(axis=-1, keepdims=True)  # (..., T_q, T_k)
        if empty.any():
            return _said_of_row("empty_row" if softmax else "blind_weights", got, np.argwhere(empty)[0])
        leak = wrong & ~visible & np.isfinite(got)  # (..., T_q, T_k)
        if leak.any():
            return _said_of_row("hidden_not_zero" if softmax else "weight_on_hidden", got, np.argwhere(leak)[0])
    if not np.isfinite(got).all():
        return None
    sums = got.sum(axis=-1)  # (..., T_q)
    seeing = np.True_ if visible is None else visible.any(axis=-1)  # (..., T_q)
    off = (np.abs(sums - 1) > 1e-3) & seeing & wrong.any(axis=-1)  # (..., T_q)
    if off.any():
        where = tuple(np.argwhere(off)[0])
        facts = {"row": int(where[-1]) if where else 0, "sum": float(sums[where])}
        return _fault("rows_do_not_sum", facts, (*where, *np.argwhere(wrong[where])[0]))
    return None


def _said_of_row(kind, got, where):
    value = float(got[tuple(where)])
    facts = {"where": [int(i) for i in where], "weight": value}
    if len(where) > 1:
        facts |= {"query": int(where[-2]), "key": int(where[-1])}
    return _fault(kind, facts, where)


def _out(visible, got, wrong):
    """Say that a query which sees nothing brought something home."""
    if visible is None:
        return None
    blind = wrong & ~visible.any(axis=-1, keepdims=True)  # (..., T_q, d_v)
    if not blind.any():
        return None
    where = np.argwhere(blind)[0]
    return _fault("blind_output", {"query": int(where[-2]), "value": float(got[tuple(where)])}, where)
