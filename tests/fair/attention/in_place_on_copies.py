"""In-place arithmetic throughout, but on copies of its own (C33)."""
import numpy as np


def causal_mask(T):
    mask = np.empty((T, T), dtype=bool)
    mask[...] = False
    mask[np.tril_indices(T)] = True
    return mask


def softmax(x):
    x = x.copy()
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def attention(Q, K, V, mask=None):
    Q = np.array(Q)
    Q /= np.sqrt(Q.shape[-1])
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        hidden = mask.copy()
        np.logical_not(hidden, out=hidden)
        np.copyto(scores, -np.inf, where=hidden)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        gate = X @ W_gate
        gate *= -1
        np.exp(gate, out=gate)
        gate += 1
        out /= gate
    return out, weights


def sigmoid(x):
    y = np.negative(x)
    np.exp(y, out=y)
    y += 1
    return np.reciprocal(y, out=y)
