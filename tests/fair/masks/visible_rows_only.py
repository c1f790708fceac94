"""Only rows that see something, and only the keys they see, are ever computed with."""
import math

import numpy as np


def padding_mask(lengths, T):
    return np.broadcast_to(np.arange(T), (lengths.size, 1, T)) < np.atleast_1d(lengths)[:, None, None]


def from_blocked(mask):
    return np.asarray(mask) < 1


def sliding_window_mask(T, window, sinks=0):
    if window >= T or sinks >= T:
        return np.tri(T, dtype=bool)
    return np.tril(np.triu(np.ones((T, T), dtype=bool), 1 - window)) | np.tri(T, dtype=bool) & (np.arange(T) < sinks)


def combine_masks(*masks):
    given = [m for m in masks if m is not None]
    if not given:
        return None
    out = np.ones(np.broadcast_shapes(*[m.shape for m in given]), dtype=bool)
    for m in given:
        out &= m
    return out


def safe_softmax(x):
    if x.ndim > 1:
        return np.stack([safe_softmax(r) for r in x])
    seen = np.isfinite(x)
    w = np.zeros(x.shape)
    if seen.any():
        e = np.exp(x[seen] - x[seen].max())
        w[seen] = e / e.sum()
    return w


def masked_attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    visible = np.broadcast_to(True if mask is None else mask, (*lead, Q.shape[-2], K.shape[-2]))
    if lead:
        pairs = [masked_attention(Q[b], K[b], V[b], visible[b]) for b in range(lead[0])]
        return np.stack([out for out, _ in pairs]), np.stack([w for _, w in pairs])
    w, out = np.zeros(visible.shape), np.zeros((len(Q), V.shape[-1]))
    for i in np.flatnonzero(visible.any(axis=1)):
        seen = np.flatnonzero(visible[i])
        e = safe_softmax(K[seen] @ Q[i] / math.sqrt(Q.shape[-1]))
        w[i, seen], out[i] = e, e @ V[seen]
    return out, w


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    kv = Z @ np.concatenate([W_k, W_v], axis=1)
    k, v = np.split(kv, [W_k.shape[1]], axis=-1)
    return masked_attention(X @ W_q, k, v, mask)
