"""causal_self_attention never calls attention, softmax or causal_mask (C32)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    s = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    s = s - s.max(axis=-1, keepdims=True)
    w = np.exp(s - np.log(np.exp(s).sum(axis=-1, keepdims=True)))
    return w @ V, w


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    # x_i W_q W_k^T x_j^T: one bilinear form instead of two projections
    form = W_q @ W_k.T / np.sqrt(W_q.shape[1])
    scores = np.einsum("...im,mn,...jn->...ij", X, form, X)
    n = X.shape[-2]
    scores = np.where(np.arange(n)[:, None] >= np.arange(n), scores, -np.inf)
    p = np.exp(scores - scores.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    out = (p @ X) @ W_v
    if W_gate is not None:
        out = out / (1 + np.exp(-(X @ W_gate)))
    return out, p


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
