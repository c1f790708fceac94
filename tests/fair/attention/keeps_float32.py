"""Every constant takes the dtype of the inputs, so float32 stays float32 (C18)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True), dtype=x.dtype)
    return (e / e.sum(axis=-1, keepdims=True, dtype=x.dtype)).astype(x.dtype)


def attention(Q, K, V, mask=None):
    dtype = np.result_type(Q, K, V)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]).astype(dtype)
    if mask is not None:
        scores = np.where(mask, scores, dtype.type(-np.inf))
    weights = softmax(scores)
    assert weights.dtype == dtype
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = (sigmoid(X @ W_gate) * out).astype(X.dtype)
    return out, weights


def sigmoid(x):
    one = x.dtype.type(1)
    return one / (one + np.exp(-x))
