"""Written as a port from PyTorch: additive masks inside, everything under one layer object."""
import math

import numpy as np


class Layer:
    @staticmethod
    def bias(mask, dtype):
        bias = np.zeros(mask.shape, dtype)
        bias[~mask] = -np.inf
        return bias

    def attend(self, query, key, value, attn_mask=None):
        attn = query @ key.swapaxes(-2, -1) * np.asarray(1 / math.sqrt(query.shape[-1]), query.dtype)
        if attn_mask is not None:
            attn = attn + self.bias(attn_mask, query.dtype)
        attn = safe_softmax(attn)
        return attn @ value, attn


_layer = Layer()


def padding_mask(lengths, T):
    key_padding_mask = np.arange(T)[None, :] >= lengths[:, None]
    return from_blocked(key_padding_mask)[:, None, :]


def from_blocked(mask):
    return np.logical_not(mask)


def sliding_window_mask(T, window, sinks=0):
    blocked = np.triu(np.ones((T, T), bool), k=1)
    blocked |= np.tril(np.ones((T, T), bool), k=-window) & (np.arange(T) >= sinks)
    return from_blocked(blocked)


def combine_masks(*masks):
    total = None
    for mask in masks:
        if mask is not None:
            total = Layer.bias(mask, float) if total is None else total + Layer.bias(mask, float)
    return None if total is None else total == 0


def safe_softmax(x):
    masked_rows = (x == -np.inf).all(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return np.where(masked_rows, np.zeros_like(x), e / e.sum(axis=-1, keepdims=True))


def masked_attention(Q, K, V, mask=None):
    return _layer.attend(Q, K, V, attn_mask=mask)


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return _layer.attend(X @ W_q, Z @ W_k, Z @ W_v, mask)
