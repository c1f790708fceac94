"""Masks are made once, kept and handed out read-only; results may be read-only views (C26, C27)."""
from functools import lru_cache

import numpy as np


@lru_cache
def _positions(T):
    positions = np.arange(T)
    positions.setflags(write=False)
    return positions


def padding_mask(lengths, T):
    mask = _positions(T) < lengths[:, None, None]
    mask.setflags(write=False)
    return mask


def from_blocked(mask):
    visible = ~mask
    visible.setflags(write=False)
    return visible[...]


@lru_cache(maxsize=None)
def sliding_window_mask(T, window, sinks=0):
    i, j = _positions(T)[:, None], _positions(T)
    mask = (j <= i) & ((i - j < window) | (j < sinks))
    mask.setflags(write=False)
    return mask


def combine_masks(*masks):
    given = [m for m in masks if m is not None]
    if not given:
        return None
    if len(given) == 1:
        return np.broadcast_to(given[0], given[0].shape)
    return given[0] & combine_masks(*given[1:])


def safe_softmax(x):
    top = x.max(-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    w = e / np.maximum(e.sum(-1, keepdims=True), 1)
    return np.broadcast_to(w, w.shape)


def masked_attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    w = safe_softmax(np.where(True if mask is None else mask, s, -np.inf))
    out = w @ V
    out.setflags(write=False)
    return out, w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
