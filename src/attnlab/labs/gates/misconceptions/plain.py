"""The functions of lab ``gates``, right, in the spelling in which their wrong versions are written.

A wrong version is taken for a set of edits of its function here, so that two of them can be done at once.
"""

import numpy as np

from attnlab.gates import attention, merge_heads, split_heads


def sigmoid(x):
    """Write the formula down; that exp overflows for very negative x only makes the quotient 0."""
    return 1 / (1 + np.exp(-x))


def silu(x):
    """Multiply a number by its own gate."""
    return x * sigmoid(x)


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    """Refuse, project, split, activate."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


def gated_multi_head_attention(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """Refuse, gate what is named, attend, merge."""
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
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


def sink_share(weights):
    """Average the first column without its first entry."""
    return weights[..., 1:, 0].mean()


def gate_sparsity(gate, threshold=0.1):
    """Compare and average."""
    return (gate < threshold).mean()
