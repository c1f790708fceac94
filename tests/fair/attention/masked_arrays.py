"""numpy.ma hides what is hidden, and masked arrays are returned (C46)."""
import numpy as np
import numpy.ma as ma


def causal_mask(T):
    return np.tri(T, dtype=bool)


def _softmax(x):
    e = ma.exp(x - x.max(axis=-1, keepdims=True))
    return ma.array((e / e.sum(axis=-1, keepdims=True)).filled(0))


def softmax(x):
    return _softmax(ma.masked_invalid(x))


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    hidden = np.zeros(scores.shape, bool) if mask is None else ~np.broadcast_to(mask, scores.shape)
    weights = _softmax(ma.array(scores, mask=hidden))
    return ma.array(weights.data @ V), weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return ma.array(1 / (1 + np.exp(-x)))
