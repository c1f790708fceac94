"""The ordinary softmax, NaN made 0 afterwards; warnings included."""
import numpy as np


def padding_mask(lengths, T):
    m = np.zeros((len(lengths), 1, T), dtype=bool)
    for b, n in enumerate(lengths):
        m[b, 0, :n] = True
    return m


def from_blocked(mask):
    return mask == False  # noqa: E712


def sliding_window_mask(T, window, sinks=0):
    m = np.zeros((T, T), bool)
    for i in range(T):
        m[i, max(0, i - window + 1) : i + 1] = True
        m[i, : min(sinks, i + 1)] = True
    return m


def combine_masks(*masks):
    result = None
    for m in masks:
        if m is None:
            continue
        result = m.copy() if result is None else result * m
    return result


def safe_softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.nan_to_num(e / e.sum(-1, keepdims=True))


def masked_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(mask, s.shape)
        s[~mask] = -np.inf
    w = safe_softmax(s)
    return [w @ V, w]


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
