"""exp(x - lse) with a rule of its own for lse = -inf (C11); powers of two (C12)."""
import math

import numpy as np


def padding_mask(lengths, T):
    return np.expand_dims(np.cumsum(np.ones((len(lengths), T)), axis=1) <= lengths[:, None], 1)


def from_blocked(mask):
    return ~np.array(mask, dtype=bool)


def sliding_window_mask(T, window, sinks=0):
    i, j = np.ogrid[:T, :T]
    hidden = (j > i) | ((j <= i - window) & (j >= sinks))
    return ~hidden


def combine_masks(*masks):
    given = [m for m in masks if m is not None]
    return np.all(np.stack(np.broadcast_arrays(*given)), axis=0) if given else None


def safe_softmax(x):
    top = x.max(-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    lse = top + np.log(np.exp2((x - top) * math.log2(math.e)).sum(-1, keepdims=True))
    return np.where(np.isneginf(lse), 0.0, np.exp(x - lse))


def masked_attention(Q, K, V, mask=None):
    s = (K @ Q.swapaxes(-1, -2)).swapaxes(-1, -2) / math.sqrt(K.shape[-1])
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = safe_softmax(s)
    return np.matmul(w, V), w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    A = W_q @ W_k.T / math.sqrt(W_q.shape[1])
    s = X @ A @ Z.swapaxes(-1, -2)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = safe_softmax(s)
    return w @ Z @ W_v, w
