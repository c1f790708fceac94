"""Extra keyword-only and defaulted parameters after the documented ones (C29)."""
import numpy as np


def causal_mask(T, *, dtype=bool, offset=0):
    return np.tri(T, k=offset, dtype=dtype)


def softmax(x, axis=-1, *, temperature=1.0):
    x = x / temperature
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(Q, K, V, mask=None, dropout=0.0, *, scale=None, verbose=False):
    scale = Q.shape[-1] ** -0.5 if scale is None else scale
    scores = Q @ K.swapaxes(-1, -2) * scale
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    if verbose:
        print(weights)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None, *, gate_position="G1", **options):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]), **options)
    if W_gate is not None and gate_position == "G1":
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x, slope=1.0):
    return 1 / (1 + np.exp(-slope * x))
