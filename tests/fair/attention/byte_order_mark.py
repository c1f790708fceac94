"""Starts with a byte order mark, as Windows Notepad writes it; с кириллицей."""
import numpy as np


def causal_mask(T):
    return np.fromfunction(lambda i, j: j <= i, (T, T), dtype=int)


def softmax(x, where=True):
    m = np.max(x, axis=-1, keepdims=True, where=where, initial=-np.inf)
    e = np.exp(x - m, where=where, out=np.zeros(np.shape(x)))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = softmax(scores) if mask is None else softmax(scores, where=np.broadcast_to(mask, scores.shape))
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    out = np.empty(np.shape(x))
    pos = x >= 0
    out[pos] = 1 / (1 + np.exp(-x[pos]))
    e = np.exp(x[~pos])
    out[~pos] = e / (1 + e)
    return out
