"""Lab `multihead`: its parts, its checks and the property that is not a comparison with the oracle."""

import numpy as np

from ..model import Check, Fault, Output, Part
from . import oracle

HEADS, MERGED, REPEATED = Output("heads"), Output("merged"), Output("repeated")
OUT, WEIGHTS, BYTES = Output("out"), Output("weights"), Output("n_bytes", "integer")

PARTS = (
    Part("split_heads", "split_heads", ("x", "n_heads"), (HEADS,), oracle.split_heads),
    Part("merge_heads", "merge_heads", ("x",), (MERGED,), oracle.merge_heads),
    Part(
        "multi_head_attention", "multi_head_attention", ("X", "W_q", "W_k", "W_v", "W_o", "n_heads", "mask"),
        (OUT, WEIGHTS), oracle.multi_head_attention, oracle.score_scale, uses=("split_heads", "merge_heads"),
    ),
    Part("repeat_kv", "repeat_kv", ("x", "n_rep"), (REPEATED,), oracle.repeat_kv),
    Part(
        "grouped_query_attention", "grouped_query_attention",
        ("X", "W_q", "W_k", "W_v", "W_o", "n_heads", "n_kv_heads", "mask"), (OUT, WEIGHTS),
        oracle.grouped_query_attention, oracle.grouped_score_scale,
        uses=("split_heads", "merge_heads", "multi_head_attention", "repeat_kv"),
    ),
    Part(
        "kv_cache_bytes", "kv_cache_bytes",
        ("n_layers", "n_kv_heads", "head_dim", "seq_len", "batch", "bytes_per_value"), (BYTES,), oracle.kv_cache_bytes,
    ),
)  # fmt: skip


def other_heads_stay(case, outputs, tolerances):
    """The second call changes one head's columns of all three projections: other heads' weights are the same."""
    (X, W_q, _, _, _, H, *_), (_, changed, *_) = case.calls
    D = X.shape[-1] // H
    head = int(np.nonzero((W_q != changed).any(axis=0))[0][0]) // D
    (_, before), (_, after) = outputs  # (..., H, T, T) each
    with np.errstate(invalid="ignore"):
        moved = np.abs(before - after)  # (..., H, T, T)
    others = ~(moved <= 2 * tolerances[0][1])  # (..., H, T, T)
    others[..., head, :, :] = False
    if others.any():
        where = tuple(int(i) for i in np.argwhere(others)[0])
        facts = {
            "changed": head,
            "head": where[-3],
            "before": float(before[where]),
            "after": float(after[where]),
        }
        return Fault("mixed", "multihead.heads_mixed", facts, call=1, output=1, where=where, compares=True)
    if not (moved[..., head, :, :] > tolerances[0][1]).any():
        return Fault("frozen", "multihead.head_ignored", {"changed": head}, call=1, output=1)
    return None


def _check(id, points, idea, **more):
    return Check(id, id.partition(".")[0], points, idea, **more)


CHECKS = (
    _check("split_heads.values", 0.25, "heads"),
    _check("split_heads.batch", 0.25, "batches"),
    _check("split_heads.divisible", 0.25, "errors"),
    _check("split_heads.inputs", 0.25, "inputs"),
    _check("merge_heads.values", 0.5, "heads"),
    _check("merge_heads.batch", 0.25, "batches"),
    _check("merge_heads.inputs", 0.25, "inputs"),
    _check("multi_head_attention.reference", 0.75, "loop reference"),
    _check("multi_head_attention.heads", 0.5, "heads", oracle=False, relation=other_heads_stay),
    _check("multi_head_attention.scale", 0.5, "1/√D"),
    _check("multi_head_attention.mask", 0.75, "mask"),
    _check("multi_head_attention.batch", 0.5, "batches"),
    _check("multi_head_attention.numbers", 0.5, "numbers"),
    _check("multi_head_attention.divisible", 0.25, "errors"),
    _check("multi_head_attention.inputs", 0.25, "inputs"),
    _check("repeat_kv.values", 0.5, "groups"),
    _check("repeat_kv.batch", 0.25, "batches"),
    _check("repeat_kv.inputs", 0.25, "inputs"),
    _check("grouped_query_attention.reference", 0.5, "loop reference"),
    _check("grouped_query_attention.ends", 0.25, "groups"),
    _check("grouped_query_attention.mask", 0.25, "mask"),
    _check("grouped_query_attention.batch", 0.25, "batches"),
    _check("grouped_query_attention.numbers", 0.25, "numbers"),
    _check("grouped_query_attention.divisible", 0.25, "errors"),
    _check("grouped_query_attention.inputs", 0.25, "inputs"),
    _check("kv_cache_bytes.values", 0.5, "cache"),
    _check("kv_cache_bytes.defaults", 0.25, "cache"),
    _check("kv_cache_bytes.exact", 0.25, "cache"),
)
