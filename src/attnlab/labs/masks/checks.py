"""Lab `masks`: its parts, its checks and the property that is not a comparison with the oracle."""

import numpy as np

from ..model import Check, Fault, Output, Part
from . import oracle

MASK, VISIBLE, COMBINED = Output("mask", "bool"), Output("visible", "bool"), Output("mask")
WEIGHTS, OUT = Output("weights"), Output("out")

PARTS = (
    Part("padding_mask", "padding_mask", ("lengths", "T"), (MASK,), oracle.padding_mask),
    Part("from_blocked", "from_blocked", ("mask",), (VISIBLE,), oracle.from_blocked),
    Part("sliding_window_mask", "sliding_window_mask", ("T", "window", "sinks"), (MASK,), oracle.sliding_window_mask),
    Part("combine_masks", "combine_masks", ("*masks",), (COMBINED,), oracle.combine_masks),
    Part("safe_softmax", "safe_softmax", ("x",), (WEIGHTS,), oracle.safe_softmax, oracle.logit_scale),
    Part(
        "masked_attention", "masked_attention", ("Q", "K", "V", "mask"), (OUT, WEIGHTS),
        oracle.masked_attention, oracle.score_scale, uses=("safe_softmax",),
    ),
    Part(
        "cross_attention", "cross_attention", ("X", "Z", "W_q", "W_k", "W_v", "mask"), (OUT, WEIGHTS),
        oracle.cross_attention, oracle.cross_score_scale, uses=("safe_softmax", "masked_attention"),
    ),
)  # fmt: skip


def hidden_is_zero(case, outputs, tolerances):
    """A score of -inf gets weight exactly 0, in a row of nothing else too."""
    for call, ((x,), (weights,)) in enumerate(zip(case.calls, outputs, strict=True)):
        wrong = np.isneginf(x) & (weights != 0)  # (..., n)
        if wrong.any():
            where = tuple(int(i) for i in np.argwhere(wrong)[0])
            facts = {"where": list(where), "weight": float(weights[where])}
            return Fault("hidden", "masks.hidden_not_zero", facts, call=call, output=0, where=where)
    return None


def _check(id, points, idea, **more):
    return Check(id, id.partition(".")[0], points, idea, **more)


CHECKS = (
    _check("padding_mask.values", 0.25, "padding"),
    _check("padding_mask.edges", 0.25, "padding"),
    _check("padding_mask.dtype", 0.25, "padding", dtype=True),
    _check("padding_mask.inputs", 0.25, "inputs"),
    _check("from_blocked.values", 0.5, "conventions"),
    _check("from_blocked.dtype", 0.25, "conventions", dtype=True),
    _check("from_blocked.new", 0.25, "inputs", fresh=True),
    _check("sliding_window_mask.values", 0.5, "window"),
    _check("sliding_window_mask.sinks", 0.75, "sinks"),
    _check("sliding_window_mask.edges", 0.5, "window"),
    _check("sliding_window_mask.dtype", 0.25, "window", dtype=True),
    _check("combine_masks.values", 0.25, "combination"),
    _check("combine_masks.broadcast", 0.25, "combination"),
    _check("combine_masks.none", 0.25, "combination"),
    _check("combine_masks.inputs", 0.25, "inputs"),
    _check("safe_softmax.values", 0.25, "softmax"),
    _check("safe_softmax.axes", 0.25, "batches"),
    _check("safe_softmax.empty", 0.75, "empty rows", relation=hidden_is_zero),
    _check("safe_softmax.large", 0.25, "stable softmax with -inf", relation=hidden_is_zero),
    _check("safe_softmax.float32", 0.25, "float32", relation=hidden_is_zero),
    _check("safe_softmax.inputs", 0.25, "inputs"),
    _check("masked_attention.reference", 0.25, "loop reference"),
    _check("masked_attention.mask", 0.25, "mask"),
    _check("masked_attention.empty", 0.5, "empty rows"),
    _check("masked_attention.batch", 0.5, "batches"),
    _check("masked_attention.numbers", 0.25, "stable softmax with -inf"),
    _check("masked_attention.inputs", 0.25, "inputs"),
    _check("cross_attention.reference", 0.25, "loop reference"),
    _check("cross_attention.mask", 0.25, "mask"),
    _check("cross_attention.batch", 0.25, "batches"),
    _check("cross_attention.inputs", 0.25, "inputs"),
)
