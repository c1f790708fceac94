"""Lab `attention`: its parts, its checks and the properties that are not a comparison with the oracle."""

import numpy as np

from ..model import Check, Fault, Output, Part
from . import oracle

MASK, WEIGHTS, OUT, GATE = Output("mask", "bool"), Output("weights"), Output("out"), Output("gate")

PARTS = (
    Part("causal_mask", "causal_mask", ("T",), (MASK,), oracle.causal_mask, oracle.no_scale),
    Part("softmax", "softmax", ("x",), (WEIGHTS,), oracle.softmax, oracle.logit_scale),
    Part(
        "attention", "attention", ("Q", "K", "V", "mask"), (OUT, WEIGHTS),
        oracle.attention, oracle.score_scale, uses=("softmax",),
    ),
    Part(
        "causal_self_attention", "causal_self_attention", ("X", "W_q", "W_k", "W_v"), (OUT, WEIGHTS),
        oracle.causal_self_attention, oracle.self_score_scale, uses=("causal_mask", "softmax", "attention"),
    ),
    Part("sigmoid", "sigmoid", ("x",), (GATE,), oracle.sigmoid, oracle.logit_scale, bonus=True),
    Part(
        "gate", "causal_self_attention", ("X", "W_q", "W_k", "W_v", "W_gate"), (OUT, WEIGHTS),
        oracle.causal_self_attention, oracle.self_score_scale,
        uses=("causal_mask", "softmax", "attention", "causal_self_attention", "sigmoid"), bonus=True,
    ),
)  # fmt: skip


def hidden_is_zero(case, outputs, tolerances):
    """A score of -inf gets weight exactly 0."""
    for call, ((x,), (weights,)) in enumerate(zip(case.calls, outputs, strict=True)):
        wrong = np.isneginf(x) & (weights != 0)  # (..., n)
        if wrong.any():
            where = _first(wrong)
            facts = {"where": list(where), "weight": float(weights[where])}
            return Fault("hidden", "attention.hidden_not_zero", facts, call=call, output=0, where=where)
    return None


def later_tokens_do_not_matter(case, outputs, tolerances):
    """Outputs up to the last common token are equal; the last one, which sees the change, differs."""
    (X, *_), (Y, *_) = case.calls
    (before, _), (after, _) = outputs
    axes = tuple(a for a in range(X.ndim) if a != X.ndim - 2)
    changed = np.nonzero((X != Y).any(axis=axes))[0][0]  # first token that differs
    with np.errstate(invalid="ignore"):
        moved = np.abs(before - after)  # (..., T, d_v)
    leak = ~(moved[..., :changed, :] <= 2 * tolerances[0][0])  # (..., changed, d_v)
    if leak.any():
        where = _first(leak)
        facts = {
            "token": int(where[-2]),
            "later": int(changed),
            "before": float(before[where]),
            "after": float(after[where]),
        }
        return Fault("leak", "attention.later_token_leaks", facts, call=1, output=0, where=where, compares=True)
    if not (moved[..., -1, :] > tolerances[0][0]).any():
        return Fault("frozen", "attention.output_ignores_tokens", {"token": X.shape[-2] - 1}, call=1, output=0)
    return None


def order_does_not_matter(case, outputs, tolerances):
    """Without a mask, tokens in another order give the same outputs in that other order."""
    rows = [np.concatenate(call, axis=-1) for call in case.calls]  # (..., T, d_k + d_k + d_v)
    first, second = (r.reshape(-1, *r.shape[-2:])[0] for r in rows)  # (T, ...)
    order = [int(np.nonzero((first == row).all(axis=-1))[0][0]) for row in second]
    before, after = outputs[0][0][..., order, :], outputs[1][0]  # (..., T, d_v)
    with np.errstate(invalid="ignore"):
        wrong = ~(np.abs(before - after) <= 2 * tolerances[0][0])  # (..., T, d_v)
    if wrong.any():
        where = _first(wrong)
        facts = {
            "row": int(where[-2]),
            "was": order[where[-2]],
            "before": float(before[where]),
            "after": float(after[where]),
        }
        return Fault("order", "attention.order_matters", facts, call=1, output=0, where=where, compares=True)
    if not np.ptp(before, axis=-2).max(initial=0.0) > tolerances[0][0]:
        return Fault("frozen", "attention.output_ignores_tokens", {"token": before.shape[-2] - 1}, call=1, output=0)
    return None


def _first(wrong):
    return tuple(int(i) for i in np.argwhere(wrong)[0])


def _check(id, points, idea, **more):
    return Check(id, id.partition(".")[0], points, idea, **more)


CHECKS = (
    _check("causal_mask.values", 0.5, "mask"),
    _check("causal_mask.edges", 0.25, "mask"),
    _check("causal_mask.dtype", 0.25, "mask", dtype=True),
    _check("softmax.values", 0.5, "softmax"),
    _check("softmax.axes", 0.25, "batches"),
    _check("softmax.neginf", 0.25, "stable softmax with -inf", relation=hidden_is_zero),
    _check("softmax.large", 0.25, "stable softmax with -inf"),
    _check("softmax.rows", 0.25, "stable softmax with -inf"),
    _check("softmax.float32", 0.25, "float32"),
    _check("softmax.inputs", 0.25, "inputs"),
    _check("attention.worked", 0.5, "worked example"),
    _check("attention.scale", 0.75, "1/√d_k"),
    _check("attention.reference", 0.5, "loop reference"),
    _check("attention.mask", 0.75, "mask"),
    _check("attention.batch", 0.5, "batches"),
    _check("attention.large", 0.25, "stable softmax with -inf"),
    _check("attention.float32", 0.25, "float32"),
    _check("attention.permutation", 0.25, "permutation", oracle=False, relation=order_does_not_matter),
    _check("attention.inputs", 0.25, "inputs"),
    _check("causal_self_attention.causality", 1.0, "causality", oracle=False, relation=later_tokens_do_not_matter),
    _check("causal_self_attention.reference", 1.0, "loop reference"),
    _check("causal_self_attention.batch", 0.5, "batches"),
    _check("causal_self_attention.numbers", 0.25, "stable softmax with -inf"),
    _check("causal_self_attention.inputs", 0.25, "inputs"),
    _check("sigmoid.values", 0.5, "gate"),
    _check("sigmoid.large", 0.5, "gate"),
    _check("gate.channels", 0.25, "gate"),
    _check("gate.token", 0.25, "gate"),
    _check("gate.batch", 0.25, "batches"),
    _check("gate.zero", 0.25, "gate"),
)
