"""Wrong versions of ``gated_multi_head_attention``: how its pieces are put together."""

import math

import numpy as np

from attnlab.gates import attention, gate_values, merge_heads, split_heads
from attnlab.labs.gates.misconceptions.registry import wrong

_kept = {}


@wrong("gated_multi_head_attention", "A88", section="gated-attention")
def activation_not_handed_on(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The activation is not handed on, so the gate is always a sigmoid."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A86", section="gated-attention")
def one_gate_for_all_channels(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """Only the first gate of each head is used, for all of its channels."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate[..., :1]) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="gated-attention")
def one_gate_for_all_heads(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """Only the gates of the first head are used, for all heads."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate[..., :1, :, :]) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A11", section="gated-attention")
def mask_forgotten(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The mask is not handed on, so everything is visible."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A4", section="gated-attention")
def mask_turned_round(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The mask is inverted: True hides."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, None if mask is None else ~mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="gated-attention")
def always_causal(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """A causal mask is applied although none was given."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, np.tri(X.shape[-2], dtype=bool) if mask is None else mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A35", section="gated-attention")
def scaled_by_model_width(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The scores are divided by sqrt(d_model) instead of sqrt(D)."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q / math.sqrt(n_heads), K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A34", section="gated-attention")
def scaled_twice(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The scores are divided by sqrt(D) once more."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q / math.sqrt(Q.shape[-1]), K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A44", section="given")
def heads_split_without_transpose(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The heads are split off by a reshape alone, so tokens and heads are mixed."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = ((X @ W).reshape(*X.shape[:-2], n_heads, X.shape[-2], -1) for W in (W_q, W_k, W_v))
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A45", section="given")
def heads_merged_without_transpose(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The heads are merged by a reshape alone, so tokens and heads are mixed."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = out.reshape(X.shape) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="gated-attention")
def output_projection_forgotten(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The merged heads are returned without W_o."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out)
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A48", section="gated-attention")
def output_projection_transposed(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The merged heads are multiplied by the transpose of W_o."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o.T
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A51", section="gated-attention")
def query_and_key_projections_exchanged(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """W_k makes the queries and W_q the keys."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_k, n_heads), split_heads(X @ W_q, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", "A91", section="gated-attention", needs=("_kept = {}",))
def gate_left_from_first_call(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate is kept from the first call with these shapes, so later calls read a stale one."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    gate = _kept.setdefault((X.shape, W_gate.shape, position, activation), gate)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights
