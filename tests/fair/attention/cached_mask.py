"""Masks are cached and handed out read-only (C26, C27)."""
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=None)
def causal_mask(T):
    mask = np.tri(T, dtype=bool)
    mask.setflags(write=False)
    return mask


@lru_cache(maxsize=None)
def _bias(T):
    return np.where(causal_mask(T), 0.0, -np.inf)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]) + _bias(X.shape[-2]))
    out = weights @ V
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
