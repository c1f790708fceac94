"""einsum in place of every product (C1), and outer comparisons for the masks."""
import math

import numpy as np


def padding_mask(lengths, T):
    return np.less.outer(np.arange(T), lengths).T.reshape(-1, 1, T)


def from_blocked(mask):
    return mask ^ True


def sliding_window_mask(T, window, sinks=0):
    distance = np.subtract.outer(np.arange(T), np.arange(T))
    return (distance >= 0) & ((distance < window) | (np.arange(T) < sinks)[None])


def combine_masks(*masks):
    masks = [m for m in masks if m is not None]
    result = None
    for m in masks:
        result = m if result is None else np.einsum("...,...->...", result, m)
    return result


def safe_softmax(x):
    top = x.max(-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    return np.einsum("...i,...->...i", e, 1 / np.maximum(np.einsum("...i->...", e), 1))


def masked_attention(Q, K, V, mask=None):
    s = np.einsum("...id,...jd->...ij", Q, K) / Q.shape[-1] ** 0.5
    if mask is not None:
        s = s + np.where(mask, 0.0, -math.inf)
    w = safe_softmax(s)
    return np.einsum("...ij,...jd->...id", w, V), w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    q = np.einsum("...td,dk->...tk", X, W_q)
    k = np.einsum("...td,dk->...tk", Z, W_k)
    v = np.einsum("...td,dk->...tk", Z, W_v)
    return masked_attention(q, k, v, mask)
