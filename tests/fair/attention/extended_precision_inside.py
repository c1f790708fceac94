"""Works in np.longdouble and casts back to the dtype of the inputs (C20)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def _softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax(x):
    return _softmax(x.astype(np.longdouble)).astype(x.dtype)


def attention(Q, K, V, mask=None):
    q, k, v = Q.astype(np.longdouble), K.astype(np.longdouble), V.astype(np.longdouble)
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(np.longdouble(q.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = _softmax(scores)
    return (weights @ v).astype(Q.dtype), weights.astype(Q.dtype)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    x = X.astype(np.longdouble)
    out, weights = attention(x @ W_q, x @ W_k, x @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(x @ W_gate)
    return out.astype(X.dtype), weights.astype(X.dtype)


def sigmoid(x):
    return (1 / (1 + np.exp(-x.astype(np.longdouble)))).astype(x.dtype)
