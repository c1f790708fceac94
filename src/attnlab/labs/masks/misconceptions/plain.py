"""The functions of lab ``masks``, right, in the spelling in which their wrong versions are written.

A wrong version is taken for a set of edits of its function here, so that two of them can be done at once.
"""

import math

import numpy as np


def padding_mask(lengths, T):
    """Compare positions with lengths."""
    return np.arange(T) < lengths[:, None, None]  # (T,) < (B, 1, 1) -> (B, 1, T)


def from_blocked(mask):
    """Negate."""
    return ~mask  # (...)


def sliding_window_mask(T, window, sinks=0):
    """Compare positions with each other, and with the number of sinks."""
    i, j = np.arange(T)[:, None], np.arange(T)  # (T, 1), (T,)
    return (j <= i) & ((i - j < window) | (j < sinks))  # (T, T)


def combine_masks(*masks):
    """Take them in one after the other."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask  # (...)
    return combined


def safe_softmax(x):
    """Shift by the maximum or, in an empty row, by 0; divide by the sum or, in an empty row, by 1."""
    top = x.max(axis=-1, keepdims=True)  # (..., 1)
    top = np.where(np.isneginf(top), 0, top)  # (..., 1)
    e = np.exp(x - top)  # (..., n)
    total = e.sum(axis=-1, keepdims=True)  # (..., 1)
    return e / np.where(total == 0, 1, total)  # (..., n) / (..., 1) -> (..., n)


def masked_attention(Q, K, V, mask=None):
    """Score, scale, hide, normalise, average."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., T_q, T_k)
    weights = safe_softmax(scores)  # (..., T_q, T_k)
    return weights @ V, weights  # (..., T_q, T_k) @ (..., T_k, d_v) -> (..., T_q, d_v)


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    """Project either text, attend."""
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)  # (..., T_q, d_v), (..., T_q, T_k)
