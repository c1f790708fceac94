"""Every product is an einsum (C1)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, T, 0).astype(bool)


def softmax(x):
    x = np.asarray(x)
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.einsum("...n->...", e)[..., None]


def attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = np.einsum("...id,...jd->...ij", Q, K) / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    w = softmax(scores)
    return np.einsum("...ij,...jv->...iv", w, V), w


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    q = np.einsum("...tm,mk->...tk", X, W_q)
    k = np.einsum("...tm,mk->...tk", X, W_k)
    v = np.einsum("...tm,mv->...tv", X, W_v)
    out, w = attention(q, k, v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(np.einsum("...tm,mg->...tg", X, W_gate))
    return out, w


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))
