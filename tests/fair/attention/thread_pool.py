"""Sequences of a batch are handled by a pool of threads that stays alive."""
from concurrent.futures import ThreadPoolExecutor

import numpy as np

pool = ThreadPoolExecutor(max_workers=2)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    if x.ndim < 3:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)
    flat = x.reshape(-1, *x.shape[-2:])
    return np.stack(list(pool.map(softmax, flat))).reshape(x.shape)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    Q, K, V = pool.map(lambda W: X @ W, (W_q, W_k, W_v))
    out, weights = attention(Q, K, V, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return pool.submit(lambda: 1 / (1 + np.exp(-x))).result()
