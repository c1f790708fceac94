"""The functions of lab ``attention``, right, in the spelling in which their wrong versions are written.

A wrong version is taken for a set of edits of its function here, so that two of them can be done at once.
"""

import math

import numpy as np


def causal_mask(T):
    """Compare positions."""
    return np.tri(T, dtype=bool)  # (T, T)


def softmax(x):
    """Shift, take powers of e, divide by their sum."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))  # (..., n)
    return e / e.sum(axis=-1, keepdims=True)  # (..., n) / (..., 1) -> (..., n)


def attention(Q, K, V, mask=None):
    """Score, scale, hide, normalise, average."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., T_q, T_k)
    weights = softmax(scores)  # (..., T_q, T_k)
    return weights @ V, weights  # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    """Project, attend, gate."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))  # (..., T, d_v), (..., T, T)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out  # (..., T, d_v or 1) * (..., T, d_v) -> (..., T, d_v)
    return out, weights


def sigmoid(x):
    """Write the formula down; that exp overflows for very negative x only makes the quotient 0."""
    return 1 / (1 + np.exp(-x))  # (...)
