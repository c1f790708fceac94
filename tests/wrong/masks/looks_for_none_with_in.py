"""The question `None in masks` compares whole arrays with None."""
# fails: combine_masks
# passes: padding_mask from_blocked sliding_window_mask safe_softmax masked_attention cross_attention
import numpy as np


def padding_mask(lengths, T):
    return np.arange(T) < lengths[:, None, None]


def from_blocked(mask):
    return ~mask


def sliding_window_mask(T, window, sinks=0):
    i, j = np.ogrid[:T, :T]
    return (j <= i) & ((i - j < window) | (j < sinks))


def combine_masks(*masks):
    if None in masks:
        masks = [mask for mask in masks if mask is not None]
    result = None
    for mask in masks:
        result = mask if result is None else result & mask
    return result


def safe_softmax(x):
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1)


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
