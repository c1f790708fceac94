"""Other names for everything, and more arguments of its own with defaults (C29)."""
import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def split_heads(x, n_heads):
    *lead, T, width = x.shape
    return x.reshape(*lead, T, n_heads, width // n_heads).swapaxes(-2, -3)


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def silu(x):
    return x * sigmoid(x)


def gate_values(tokens, W_g, n_heads, activation="sigmoid"):
    d_model, width = W_g.shape
    if activation not in ("sigmoid", "silu"):
        raise ValueError(activation)
    if width == d_model or width == n_heads:
        logits = split_heads(tokens @ W_g, n_heads)
    elif width == d_model // n_heads or width == 1:
        logits = (tokens @ W_g)[..., None, :, :]
    else:
        raise ValueError(width)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


def gated_multi_head_attention(hidden, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid",
                               combine="multiply", mask=None, *, verbose=False, eps=0.0):
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError(position)
    if combine not in ("multiply", "add"):
        raise ValueError(combine)
    gate = gate_values(hidden, W_gate, 1 if position == "G5" else n_heads, activation)

    def apply(x):
        return x * gate if combine == "multiply" else x + gate

    Q, K, V = (split_heads(hidden @ W, n_heads) for W in (W_q, W_k, W_v))
    if position == "G4":
        Q = apply(Q)
    elif position == "G3":
        K = apply(K)
    elif position == "G2":
        V = apply(V)
    out, weights = attention(Q, K, V, mask)
    if position == "G1":
        out = apply(out)
    out = merge_heads(out) @ W_o
    if position == "G5":
        out = merge_heads(apply(split_heads(out, 1)))
    return out, weights


def sink_share(A, *, first=0):
    column = A[..., first]
    return np.average(column[..., 1:])


def gate_sparsity(g, tau=0.1, axis=None):
    return np.count_nonzero(g < tau, axis=axis) / g.size
