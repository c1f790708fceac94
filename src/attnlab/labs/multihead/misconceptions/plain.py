"""The functions of lab ``multihead``, right, in the spelling in which their wrong versions are written.

A wrong version is taken for a set of edits of its function here, so that two of them can be done at once.
"""

import math

import numpy as np

from attnlab.multihead import softmax


def split_heads(x, n_heads):
    """Give the heads an axis, then move it before the tokens."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(*lead, T, n_heads, d_model // n_heads)  # (..., T, H, D)
    return np.swapaxes(x, -2, -3)  # (..., H, T, D)


def merge_heads(x):
    """Move the head axis behind the tokens, then let it go."""
    *lead, H, T, D = x.shape
    x = np.swapaxes(x, -2, -3)  # (..., T, H, D)
    return x.reshape(*lead, T, H * D)  # (..., T, H * D)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Project, split, score, scale, hide, normalise, average, merge, project."""
    Q = split_heads(X @ W_q, n_heads)  # (..., H, T, D)
    K = split_heads(X @ W_k, n_heads)  # (..., H, T, D)
    V = split_heads(X @ W_v, n_heads)  # (..., H, T, D)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])  # (..., H, T, T)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., H, T, T)
    weights = softmax(scores)  # (..., H, T, T)
    return merge_heads(weights @ V) @ W_o, weights  # (..., T, d_model), (..., H, T, T)


def repeat_kv(x, n_rep):
    """Repeat along the head axis."""
    return np.repeat(x, n_rep, axis=-3)  # (..., H_kv * n_rep, T, D)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """As above, with the keys and values of a head repeated for its group."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)  # (..., H, T, D)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)  # (..., H, T, D)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)  # (..., H, T, D)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])  # (..., H, T, T)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., H, T, T)
    weights = softmax(scores)  # (..., H, T, T)
    return merge_heads(weights @ V) @ W_o, weights  # (..., T, d_model), (..., H, T, T)


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """Keys and values: twice the product."""
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
