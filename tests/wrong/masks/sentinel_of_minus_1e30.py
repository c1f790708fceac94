"""Minus infinity becomes -1e30 and is zeroed afterwards, with every honest score as low as that."""
# fails: safe_softmax
# passes: padding_mask from_blocked sliding_window_mask combine_masks masked_attention cross_attention
import numpy as np


def padding_mask(lengths, T):
    return np.arange(T) < lengths[:, None, None]


def from_blocked(mask):
    return ~mask


def sliding_window_mask(T, window, sinks=0):
    i, j = np.ogrid[:T, :T]
    return (j <= i) & ((i - j < window) | (j < sinks))


def combine_masks(*masks):
    result = None
    for mask in masks:
        if mask is not None:
            result = mask if result is None else result & mask
    return result


def safe_softmax(x):
    x = np.where(np.isneginf(x), -1e30, x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.where(x <= -1e30, 0, weights)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
