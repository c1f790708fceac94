"""Assignment expressions wherever they fit."""
import numpy as np


def causal_mask(T):
    return (i := np.arange(T))[:, None] >= i


def softmax(x):
    return (e := np.exp(x - x.max(axis=-1, keepdims=True))) / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    return (w := softmax(s if mask is None else np.where(mask, s, -np.inf))) @ V, w


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    (out, w) = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if (g := W_gate) is not None:
        out = out * sigmoid(X @ g)
    return out, w


def sigmoid(x):
    return np.where(x > 0, 1 / (1 + (e := np.exp(-np.abs(x)))), e / (1 + e))
