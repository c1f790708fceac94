"""Softmax over all keys, then the mask, then the division (C7), with 0 for an empty sum."""
import functools

import numpy as np


def padding_mask(lengths, T):
    return (np.arange(T)[None] < np.asarray(lengths)[:, None])[:, None]


def from_blocked(mask):
    out = np.empty(mask.shape, dtype=bool)
    return np.logical_not(mask, out=out)


def sliding_window_mask(T, window, sinks=0):
    return np.fromfunction(lambda i, j: (j <= i) & ((i - j < window) | (j < sinks)), (T, T)).astype(bool)


def combine_masks(*masks):
    given = [m for m in masks if m is not None]
    return functools.reduce(np.logical_and, given) if given else None


def safe_softmax(x):
    m = np.max(x, axis=-1, keepdims=True)
    m[~np.isfinite(m)] = 0
    e = np.exp(x - m)
    s = e.sum(-1, keepdims=True)
    return np.divide(e, s, out=np.zeros_like(e), where=s > 0)


def masked_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    if mask is not None:
        w = w * mask
    total = w.sum(-1, keepdims=True)
    w = np.divide(w, total, out=np.zeros_like(w), where=total > 0)
    return w @ V, w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
