"""Wrong versions of ``gate_values`` and ``gated_multi_head_attention``: what should have been refused."""

import numpy as np

from attnlab.gates import attention, gate_values, merge_heads, sigmoid, silu, split_heads
from attnlab.labs.gates.misconceptions.registry import wrong


@wrong("gate_values", section="errors")
def unknown_activation_passes(X, W_gate, n_heads, activation="sigmoid"):
    """A name that is no activation is taken for SiLU instead of refused."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A87", section="errors")
def unfit_width_gives_half(X, W_gate, n_heads, activation="sigmoid"):
    """A W_gate that fits nothing is answered with half-open gates instead of refused."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        return np.full((*X.shape[:-2], n_heads, X.shape[-2], d_model // n_heads), 0.5)
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A87", section="errors", variant_of="unfit_width_gives_half")
def unfit_width_is_cut(X, W_gate, n_heads, activation="sigmoid"):
    """Of a W_gate that fits nothing the first column is used instead of refusing it."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        W_gate, width = W_gate[:, :1], 1
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gated_multi_head_attention", section="errors")
def unknown_position_passes(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """An unknown position is answered with ungated attention instead of refused."""
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
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="errors")
def unknown_combination_passes(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """An unknown combination is taken for adding instead of refused."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
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


@wrong("gated_multi_head_attention", section="errors")
def heads_still_counted_behind_them(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """At G5 widths are accepted that only make sense while there are heads."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, merge_heads(gate + np.zeros(Q.shape))) if position == "G5" else out
    return out, weights
