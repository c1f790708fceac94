"""Hidden scores become the most negative number of their dtype, added (C5)."""
import numpy as np


def causal_mask(T):
    i = np.arange(T)
    return i[:, None] >= i[None, :]


def softmax(x):
    z = x - x.max(axis=-1)[..., np.newaxis]
    p = np.exp(z)
    return p / p.sum(axis=-1)[..., np.newaxis]


def attention(Q, K, V, mask=None):
    scores = (Q @ K.swapaxes(-2, -1)) * (Q.shape[-1] ** -0.5)
    if mask is not None:
        scores = scores + (1 - mask.astype(scores.dtype)) * np.finfo(scores.dtype).min
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), weights


def sigmoid(x):
    return np.where(x >= 0, 1 / (1 + np.exp(-x)), np.exp(x) / (1 + np.exp(x)))
