"""The pair is a named tuple (C28)."""
from collections import namedtuple

import numpy as np

Attention = namedtuple("Attention", ["out", "weights"])


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return Attention(out=weights @ V, weights=weights)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    result = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        result = result._replace(out=result.out * sigmoid(X @ W_gate))
    return result


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
