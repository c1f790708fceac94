"""The output is divided by the sum only after the product with V (C13)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=np.bool_)


def _exponentials(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))


def softmax(x):
    e = _exponentials(x)
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = _exponentials(scores)
    total = e.sum(axis=-1, keepdims=True)
    return (e @ V) / total, e / total


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return (np.tanh(x / 2) + 1) / 2
