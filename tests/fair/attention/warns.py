"""Warns of everything and divides by zero on the way, to no harm (C44)."""
import warnings

import numpy as np

warnings.simplefilter("always")
warnings.warn("this module is a draft", DeprecationWarning)


def causal_mask(T):
    warnings.warn(f"mask of {T} tokens")
    return np.tri(T, dtype=bool)


def softmax(x):
    np.log(np.zeros(1))
    np.exp(np.array([1e6]))
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    warnings.warn("attention is all you need", RuntimeWarning, stacklevel=2)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        with np.errstate(divide="warn"):
            scores = scores + np.log(mask)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    warnings.warn("causal", UserWarning)
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return np.where(x < 0, np.exp(x) / (1 + np.exp(x)), 1 / (1 + np.exp(-x)))
