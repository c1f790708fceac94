"""numpy.ma all the way, and masked arrays returned (C46)."""
import numpy as np


def padding_mask(lengths, T):
    return np.tri(T + 1, T, -1, dtype=bool)[lengths][:, None]


def from_blocked(mask):
    return np.ma.getmaskarray(np.ma.array(np.zeros(mask.shape), mask=~mask)).copy()


def sliding_window_mask(T, window, sinks=0):
    i, j = np.indices((T, T))
    return np.ma.array(np.greater_equal(i, j) * (np.less(i - j, window) + np.less(j, sinks))).data


def combine_masks(*masks):
    hidden = np.ma.nomask
    given = [m for m in masks if m is not None]
    for m in given:
        hidden = np.ma.mask_or(*np.broadcast_arrays(hidden, ~m), shrink=False)
    return ~hidden if given else None


def safe_softmax(x):
    seen = np.ma.masked_equal(x, -np.inf, copy=True)
    e = np.ma.exp(seen - seen.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w.filled(0)


def masked_attention(Q, K, V, mask=None):
    s = np.matmul(Q, np.swapaxes(K, -1, -2)) / Q.shape[-1] ** 0.5
    hidden = np.zeros(s.shape, bool) if mask is None else np.broadcast_to(~mask, s.shape)
    s = np.ma.array(s, mask=hidden)
    w = np.ma.array(safe_softmax(s.filled(-np.inf)), mask=hidden)
    return w.filled(0) @ V, w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
