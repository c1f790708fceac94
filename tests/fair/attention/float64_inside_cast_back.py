"""Works in float64 and hands back the dtype it was given (C20)."""
import functools

import numpy as np


def in_double(function):
    @functools.wraps(function)
    def wrapper(*arrays):
        dtype = arrays[0].dtype
        doubled = [a if a is None or a.dtype == bool else a.astype("f8") for a in arrays]
        result = function(*doubled)
        return tuple(r.astype(dtype) for r in result) if isinstance(result, tuple) else result.astype(dtype)

    return wrapper


def causal_mask(T):
    return np.tri(T, dtype=bool)


@in_double
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@in_double
def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@in_double
def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


@in_double
def sigmoid(x):
    return 1 / (1 + np.exp(-x))
