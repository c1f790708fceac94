"""NumPy under other names, and np bound to something else (C31)."""
import math as np
import numpy as num
from numpy import exp as e_to_the, inf as forever


def causal_mask(T):
    return num.tri(T, dtype=bool)


def softmax(x):
    e = e_to_the(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = num.where(mask, scores, -forever)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + e_to_the(-x))
