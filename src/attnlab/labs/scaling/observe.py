"""What can be seen in wrong numbers of lab `scaling`, in its own words. Facts only, never a guess at the cause."""

import numpy as np

from ..model import Fault

GRADIENT_OF = {"grad_K": "key", "grad_V": "value"}


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
    got = got.astype(float)
    if output.name in GRADIENT_OF:
        fault = _hidden(args, got, output, wrong)
        if fault is not None:
            return fault
    fault = _multiple(expected, got, output, wrong)
    if fault is None and output.name in ("jacobian", "grad_s"):
        fault = _sums(got, output, wrong)
    return fault


def _fault(kind, facts, where):
    return Fault(kind, f"scaling.{kind}", facts, where=tuple(int(i) for i in where))


def _hidden(args, got, output, wrong):
    """A key that no query sees has a gradient all the same."""
    if len(args) < 5 or args[4] is None:
        return None
    Q, K, *_, mask = args
    seen = np.broadcast_to(mask, (*Q.shape[:-1], K.shape[-2]))  # (..., T_q, T_k)
    unseen = ~seen.any(axis=-2)  # (..., T_k)
    leak = unseen[..., None] & wrong & (np.abs(got) > 1e-6)  # (..., T_k, d)
    if not leak.any():
        return None
    where = np.argwhere(leak)[0]
    facts = {"key": int(where[-2]), "output": output.name}
    facts |= {"index": [int(i) for i in where], "got": float(got[tuple(where)])}
    return _fault("hidden_key_moves" if output.name == "grad_K" else "hidden_value_moves", facts, where)


def _multiple(expected, got, output, wrong):
    """Every entry is the same multiple of what it should be."""
    size = np.abs(expected).max(initial=0.0)
    large = np.abs(expected) > 1e-3 * size  # (...)
    if not size or large.sum() < 3:
        return None
    ratios = got[large] / expected[large]
    ratio = float(ratios.mean())
    apart = np.ptp(ratios) > 1e-4 * max(1.0, abs(ratio))
    elsewhere = np.abs(got[~large]).max(initial=0.0) > 1e-2 * size * abs(ratio)
    if apart or elsewhere or abs(ratio) < 1e-3 or abs(ratio - 1) < 1e-2:
        return None
    return _fault("multiple", {"output": output.name, "ratio": ratio}, np.argwhere(wrong)[0])


def _sums(got, output, wrong):
    """Weights share out 1, so whatever a score does to them cancels: rows of both outputs sum to 0."""
    sums = got.sum(axis=-1)  # (..., n) or (...)
    off = np.abs(sums) > 1e-3 * np.maximum(1.0, np.abs(got).max(axis=-1, initial=0.0))
    if not off.any():
        return None
    where = np.argwhere(off)[0]
    entry = np.argwhere(wrong[tuple(where)])
    index = f"[{', '.join(str(int(i)) for i in where)}]" if len(where) else ""
    facts = {"output": output.name, "index": index, "sum": float(sums[tuple(where)])}
    return _fault("sums_to", facts, (*where, *(entry[0] if len(entry) else (0,))))
