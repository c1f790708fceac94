"""Everything is done in place, on copies (C33), in float64 and cast back (C20)."""
import numpy as np


def padding_mask(lengths, T):
    mask = np.empty((len(lengths), 1, T), dtype=bool)
    mask[...] = np.arange(T)
    mask[:, 0] = np.arange(T)[None] < np.array(lengths)[:, None]
    return mask


def from_blocked(mask):
    mask = mask.copy()
    mask ^= True
    return mask


def sliding_window_mask(T, window, sinks=0):
    mask = np.ones((T, T), dtype=bool)
    mask &= np.tri(T, dtype=bool)
    mask[np.tri(T, k=-window, dtype=bool)] = False
    mask[:, :sinks] |= np.tri(T, dtype=bool)[:, :sinks]
    return mask


def combine_masks(*masks):
    given = [m for m in masks if m is not None]
    if not given:
        return None
    result = np.array(np.broadcast_to(given[0], np.broadcast_shapes(*[m.shape for m in given])))
    for m in given[1:]:
        result &= m
    return result


def safe_softmax(x):
    y = np.array(x, dtype=np.float64)
    top = y.max(axis=-1)[..., None]
    y -= np.where(top == -np.inf, 0, top)
    np.exp(y, out=y)
    y /= np.maximum(y.sum(-1, keepdims=True), 1e-300)
    return y.astype(x.dtype)


def masked_attention(Q, K, V, mask=None):
    Q = Q.copy()
    Q /= np.sqrt(Q.shape[-1]).astype(Q.dtype)
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    weights = safe_softmax(scores)
    return weights @ V, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
