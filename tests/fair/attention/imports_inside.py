"""Every function imports what it needs (C31)."""


def causal_mask(T):
    import numpy

    return numpy.tri(T, dtype=bool)


def softmax(x):
    import numpy as np

    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    from math import inf, sqrt

    from numpy import where

    scores = Q @ K.swapaxes(-1, -2) / sqrt(Q.shape[-1])
    if mask is not None:
        scores = where(mask, scores, -inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    from numpy import exp

    return 1 / (1 + exp(-x))
