"""Right results, and the caller's arrays changed on the way."""
# fails: padding_mask from_blocked combine_masks safe_softmax masked_attention cross_attention
# passes: sliding_window_mask
import numpy as np


def padding_mask(lengths, T):
    mask = np.arange(T) < lengths[:, None, None]
    lengths *= 0
    return mask


def from_blocked(mask):
    visible = ~mask
    mask[...] = visible
    return visible


def sliding_window_mask(T, window, sinks=0):
    i, j = np.ogrid[:T, :T]
    return (j <= i) & ((i - j < window) | (j < sinks))


def combine_masks(*masks):
    given = [mask for mask in masks if mask is not None]
    result = None
    for mask in given:
        result = mask.copy() if result is None else result & mask
    for mask in given:
        mask[...] = False
    return result


def safe_softmax(x):
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    x[...] = e
    return e / np.maximum(e.sum(axis=-1, keepdims=True), 1)


def masked_attention(Q, K, V, mask=None):
    Q[...] = Q + 0
    K *= 1.5
    K /= 1.5
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    out = weights @ V
    V += 1
    return out, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    result = masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
    Z -= 1
    return result
