"""The last token is handled, the rest is left to recursion (C32, C34)."""
import numpy as np


def causal_mask(T):
    if T == 0:
        return np.zeros((0, 0), dtype=bool)
    smaller = causal_mask(T - 1)
    return np.vstack([np.hstack([smaller, np.zeros((T - 1, 1), bool)]), np.ones((1, T), bool)])


def softmax(x):
    if x.ndim > 1:
        return np.stack([softmax(row) for row in x])
    e = np.exp(x - x.max())
    return e / e.sum()


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    T = X.shape[-2]
    last = X[..., -1:, :]
    row, w = attention(last @ W_q, X @ W_k, X @ W_v)
    if W_gate is not None:
        row = row * sigmoid(last @ W_gate)
    if T == 1:
        return row, w
    rows, ws = causal_self_attention(X[..., :-1, :], W_q, W_k, W_v, W_gate)
    ws = np.concatenate([ws, np.zeros(ws.shape[:-1] + (1,))], axis=-1)
    return np.concatenate([rows, row], axis=-2), np.concatenate([ws, w], axis=-2)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
