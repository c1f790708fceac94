"""Each token attends to the prefix that ends with it; no mask at all (C2, C32)."""
import numpy as np


def causal_mask(T):
    return np.array([[True] * (i + 1) + [False] * (T - i - 1) for i in range(T)], dtype=bool).reshape(T, T)


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
    T = X.shape[-2]
    weights = np.zeros(X.shape[:-1] + (T,))
    out = np.zeros(X.shape[:-1] + (W_v.shape[1],))
    for i in range(T):
        prefix = X[..., : i + 1, :]
        query = X[..., i : i + 1, :] @ W_q
        o, w = attention(query, prefix @ W_k, prefix @ W_v)
        out[..., i : i + 1, :] = o
        weights[..., i : i + 1, : i + 1] = w
        if W_gate is not None:
            out[..., i, :] *= sigmoid(X[..., i, :] @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
