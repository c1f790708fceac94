"""Numbers come back as nested lists and pairs as generators; anything that unpacks is a pair (C22, C28)."""
import numpy as np


def padding_mask(lengths, T):
    return np.array([[[j < n for j in range(T)]] for n in list(lengths)], bool)


def from_blocked(mask):
    return np.bitwise_xor(mask, np.ones_like(mask))


def sliding_window_mask(T, window, sinks=0):
    return np.array([[0 <= i - j < window or j < min(sinks, i) for j in range(T)] for i in range(T)], bool)


def combine_masks(*masks):
    given = [np.array(m) for m in masks if m is not None]
    if not given:
        return None
    result = given[0]
    for m in given[1:]:
        result = np.minimum(result, m)
    return result.tolist()


def safe_softmax(x):
    x = np.array(x, float)
    top = x.max(-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    return (e / np.maximum(e.sum(-1, keepdims=True), 1)).tolist()


def masked_attention(Q, K, V, mask=None):
    s = np.array(Q) @ np.array(K).swapaxes(-1, -2) / len(Q[..., 0, :].T) ** 0.5
    w = np.array(safe_softmax(s if mask is None else np.where(mask, s, -np.inf)))
    yield (w @ V).tolist()
    yield w.tolist()


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    yield from masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
