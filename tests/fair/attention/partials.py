"""functools.partial objects without __name__ (C30)."""
from functools import partial

import numpy as np

causal_mask = partial(np.tri, dtype=bool)


def _softmax(axis, x):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


softmax = partial(_softmax, -1)


def _attention(fill, Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, fill)
    weights = softmax(scores)
    return weights @ V, weights


attention = partial(_attention, -np.inf)


def _self_attention(mask_maker, X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, mask_maker(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


causal_self_attention = partial(_self_attention, causal_mask)


def _logistic(base, x):
    return 1 / (1 + base**-x)


sigmoid = partial(_logistic, np.e)
