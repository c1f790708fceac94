"""Every floating-point problem is an exception here, and none comes up."""
import warnings

import numpy as np

warnings.simplefilter("error")


def padding_mask(lengths, T):
    return np.arange(T) < lengths[:, None, None]


def from_blocked(mask):
    return np.invert(mask)


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
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        blind = np.isneginf(x).all(axis=-1, keepdims=True)
        y = np.where(blind, 0, x)
        e = np.exp(y - y.max(axis=-1, keepdims=True))
        return np.where(blind, 0, e / e.sum(axis=-1, keepdims=True))


def masked_attention(Q, K, V, mask=None):
    with np.errstate(divide="raise", over="raise", invalid="raise"):
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        weights = safe_softmax(scores)
        return weights @ V, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
