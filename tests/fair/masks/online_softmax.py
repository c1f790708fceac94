"""One key after the other with a running maximum and a running sum (C14)."""
import numpy as np


def padding_mask(lengths, T):
    return np.stack([np.r_[np.ones(n, bool), np.zeros(T - n, bool)] for n in lengths])[:, np.newaxis, :]


def from_blocked(mask):
    return np.isin(mask, [0])


def sliding_window_mask(T, window, sinks=0):
    m = np.eye(T, dtype=bool)
    for k in range(1, min(window, T)):
        m |= np.eye(T, k=-k, dtype=bool)
    for s in range(min(sinks, T)):
        m[s:, s] = True
    return m


def combine_masks(first=None, *rest):
    if not rest:
        return first
    other = combine_masks(*rest)
    if first is None or other is None:
        return other if first is None else first
    return np.where(first, other, False)


def _maximum_and_sum(x):
    m, s = np.full(x.shape[:-1], -np.inf), np.zeros(x.shape[:-1])
    for j in range(x.shape[-1]):
        new = np.maximum(m, x[..., j])
        shift = np.where(np.isneginf(new), 0, new)
        s = s * np.exp(m - shift) + np.exp(x[..., j] - shift)
        m = new
    return np.where(np.isneginf(m), 0, m)[..., None], np.where(s == 0, 1, s)[..., None]


def safe_softmax(x):
    m, s = _maximum_and_sum(x)
    return np.exp(x - m) / s


def masked_attention(Q, K, V, mask=None):
    s = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    s = s if mask is None else np.where(mask, s, -np.inf)
    m, total = _maximum_and_sum(s)
    e = np.exp(s - m)
    return (e @ V) / total, e / total


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
