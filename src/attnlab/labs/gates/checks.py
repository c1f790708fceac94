"""Lab `gates`: its parts, its checks and the properties that are not a comparison with the oracle."""

import numpy as np

from ..model import Check, Fault, Output, Part
from . import oracle

GATE, SHARED_GATE, SHARE = Output("gate"), Output("gate", broadcasts=True), Output("share")
OUT, WEIGHTS = Output("out"), Output("weights")

PARTS = (
    Part("sigmoid", "sigmoid", ("x",), (GATE,), oracle.sigmoid, oracle.logit_scale),
    Part("silu", "silu", ("x",), (GATE,), oracle.silu, oracle.logit_scale, uses=("sigmoid",)),
    Part(
        "gate_values", "gate_values", ("X", "W_gate", "n_heads", "activation"), (SHARED_GATE,),
        oracle.gate_values, oracle.gate_scale, uses=("sigmoid", "silu"),
    ),
    Part(
        "gated_multi_head_attention", "gated_multi_head_attention",
        ("X", "W_q", "W_k", "W_v", "W_o", "W_gate", "n_heads", "position", "activation", "combine", "mask"),
        (OUT, WEIGHTS), oracle.gated_multi_head_attention, oracle.gated_scale, uses=("sigmoid", "silu", "gate_values"),
    ),
    Part("sink_share", "sink_share", ("weights",), (SHARE,), oracle.sink_share),
    Part("gate_sparsity", "gate_sparsity", ("gate", "threshold"), (SHARE,), oracle.gate_sparsity),
)  # fmt: skip


def later_tokens_do_not_matter(case, outputs, tolerances):
    """Outputs up to the last common token are equal; the last one, which sees the change, differs."""
    (X, *_), (Y, *_) = case.calls
    (before, _), (after, _) = outputs
    changed = int(np.nonzero((X != Y).any(axis=tuple(a for a in range(X.ndim) if a != X.ndim - 2)))[0][0])
    with np.errstate(invalid="ignore"):
        moved = np.abs(before - after)  # (..., T, d_model)
    leak = ~(moved[..., :changed, :] <= 2 * tolerances[0][0])  # (..., changed, d_model)
    if leak.any():
        where = tuple(int(i) for i in np.argwhere(leak)[0])
        facts = {"token": where[-2], "later": changed, "before": float(before[where]), "after": float(after[where])}
        return Fault("leak", "gates.later_token_leaks", facts, call=1, output=0, where=where, compares=True)
    if not (moved[..., -1, :] > tolerances[0][0]).any():
        return Fault("frozen", "gates.output_ignores_tokens", {"token": X.shape[-2] - 1}, call=1, output=0)
    return None


def _check(id, points, idea, **more):
    return Check(id, id.partition(".")[0], points, idea, **more)


CHECKS = (
    _check("sigmoid.values", 0.5, "sigmoid"),
    _check("sigmoid.large", 0.5, "sigmoid"),
    _check("silu.values", 0.5, "silu"),
    _check("silu.large", 0.5, "silu"),
    _check("gate_values.channels", 0.5, "shape of the gate"),
    _check("gate_values.heads", 0.5, "shape of the gate"),
    _check("gate_values.shared", 0.5, "shape of the gate"),
    _check("gate_values.activation", 0.25, "activation"),
    _check("gate_values.batch", 0.5, "batches"),
    _check("gate_values.numbers", 0.25, "numbers"),
    _check("gate_values.errors", 0.25, "errors"),
    _check("gate_values.inputs", 0.25, "inputs"),
    _check("gated_multi_head_attention.positions", 0.75, "position"),
    _check("gated_multi_head_attention.shapes", 0.5, "shape of the gate"),
    _check("gated_multi_head_attention.combine", 0.25, "combination"),
    _check(
        "gated_multi_head_attention.causality", 0.25, "causality", oracle=False, relation=later_tokens_do_not_matter
    ),
    _check("gated_multi_head_attention.mask", 0.25, "mask"),
    _check("gated_multi_head_attention.batch", 0.25, "batches"),
    _check("gated_multi_head_attention.numbers", 0.25, "numbers"),
    _check("gated_multi_head_attention.errors", 0.25, "errors"),
    _check("gated_multi_head_attention.inputs", 0.25, "inputs"),
    _check("sink_share.values", 0.5, "sink"),
    _check("sink_share.batch", 0.25, "batches"),
    _check("sink_share.inputs", 0.25, "inputs"),
    _check("gate_sparsity.values", 0.5, "sparsity"),
    _check("gate_sparsity.threshold", 0.25, "sparsity"),
    _check("gate_sparsity.inputs", 0.25, "inputs"),
)
