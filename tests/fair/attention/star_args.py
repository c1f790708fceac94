"""Signatures of *args, unpacked inside (C29)."""
import numpy as np


def causal_mask(*args, **kwargs):
    (T,) = args
    return np.tri(T, dtype=bool)


def softmax(*args):
    x = args[0]
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(*args, **kwargs):
    Q, K, V, *rest = args
    mask = rest[0] if rest else kwargs.get("mask")
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, *weights_and_gate, **kwargs):
    W_q, W_k, W_v, *rest = weights_and_gate
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, mask=causal_mask(X.shape[-2]))
    W_gate = rest[0] if rest else kwargs.get("W_gate")
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(*args):
    return 1 / (1 + np.exp(-args[0]))
