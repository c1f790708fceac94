"""The most negative finite number hides (C5), and blind rows are zeroed by hand (C35)."""
import numpy as np


def padding_mask(lengths, T):
    return np.logical_not(np.arange(T).reshape(1, 1, T) >= lengths.reshape(-1, 1, 1))


def from_blocked(mask):
    return np.where(mask, False, True)


def sliding_window_mask(T, window, sinks=0):
    tri = np.tri(T, dtype=bool)
    band = np.triu(tri, -(window - 1))
    band[:, :sinks] = tri[:, :sinks]
    return band


def combine_masks(*masks):
    hidden = None
    for m in masks:
        if m is not None:
            hidden = ~m if hidden is None else hidden | ~m
    return None if hidden is None else ~hidden


def safe_softmax(x):
    y = np.maximum(x, np.finfo(x.dtype).min)
    e = np.exp(y - y.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return np.where(np.isneginf(x), 0, w)


def masked_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is None:
        mask = np.ones((1, 1), bool)
    s = np.where(mask, s, np.finfo(s.dtype).min)
    w = np.exp(s - s.max(-1, keepdims=True))
    w /= w.sum(-1, keepdims=True)
    w = w * mask
    return w @ V, w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    out, w = masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
    return out, w
