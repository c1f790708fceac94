"""One name misspelt, one function missing, one that raises."""
# fails: padding_mask combine_masks safe_softmax
# passes: from_blocked sliding_window_mask
import numpy as np


def paddingmask(lengths, T):
    return np.arange(T) < lengths[:, None, None]


def from_blocked(mask):
    return ~mask


def sliding_window_mask(T, window, sinks=0):
    i, j = np.ogrid[:T, :T]
    return (j <= i) & ((i - j < window) | (j < sinks))


def safe_softmax(x):
    raise RuntimeError('not today')


def masked_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
