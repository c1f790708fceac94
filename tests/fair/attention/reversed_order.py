"""Functions in the opposite order, helpers at the very end."""


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def attention(Q, K, V, mask=None):
    weights = softmax(_hide(_scores(Q, K), mask))
    return weights @ V, weights


def sigmoid(x):
    return np.divide(1, _one_plus(np.exp(-x)))


def softmax(x):
    return _normalise(np.exp(x - x.max(axis=-1, keepdims=True)))


def causal_mask(T):
    return np.tri(T, dtype=bool)


def _one_plus(x):
    return 1 + x


def _normalise(e):
    return e / e.sum(axis=-1, keepdims=True)


def _scores(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


def _hide(scores, mask):
    return scores if mask is None else np.where(mask, scores, -np.inf)


import numpy as np
