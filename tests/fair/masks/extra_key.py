"""A row that sees nothing gets a key of its own to look at, whose weight is cut off again."""
import numpy as np


def padding_mask(lengths, T):
    return np.vectorize(lambda n, j: j < n, otypes=[bool])(lengths[:, None, None], np.arange(T))


def from_blocked(mask):
    return np.vectorize(lambda blocked: not blocked, otypes=[bool])(mask)


def sliding_window_mask(T, window, sinks=0):
    near = ~np.tri(T, k=-window, dtype=bool)
    return np.logical_and(np.tril(np.ones((T, T), bool)), near | (np.arange(T) < sinks))


def combine_masks(*masks):
    given = [m for m in masks if m is not None]
    if not given:
        return None
    result = True
    for m in given:
        result = result & m
    return result


def safe_softmax(x):
    blind = np.isneginf(x).all(-1, keepdims=True)
    y = np.concatenate([x, np.where(blind, 0.0, -np.inf)], axis=-1)
    e = np.exp(y - y.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True))[..., :-1]


def masked_attention(Q, K, V, mask=None):
    d = Q.shape[-1] ** -0.25
    s = (d * Q) @ (d * K).swapaxes(-2, -1)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = safe_softmax(s)
    return w @ V, w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    out, w = masked_attention(X @ W_q, Z @ W_k, Z, mask)
    return out @ W_v, w
