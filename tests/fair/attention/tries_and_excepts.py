"""Errors are raised and caught on the way, and a context manager is used for flow."""
import contextlib

import numpy as np


def causal_mask(T):
    try:
        return np.tri(T, dtype="boolean")
    except TypeError:
        return np.tri(T, dtype=bool)


def softmax(x):
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise", under="ignore"):
            e = np.exp(x)
            total = e.sum(axis=-1, keepdims=True)
            if not (total > 1e-30).all() or not (total < 1e30).all():
                raise OverflowError
            return e / total
    except (FloatingPointError, OverflowError):
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    with contextlib.suppress(TypeError):
        hidden = ~mask
        scores = np.where(hidden, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    try:
        gate = X @ W_gate
    except (TypeError, ValueError):
        return out, weights
    return out * sigmoid(gate), weights


def sigmoid(x):
    try:
        with np.errstate(over="raise"):
            return 1 / (1 + np.exp(-x))
    except FloatingPointError:
        return 0.5 * (1 + np.tanh(x / 2))
