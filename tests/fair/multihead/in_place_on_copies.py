"""In-place work on arrays of its own, columns closest in memory (C33)."""
import math

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def split_heads(x, n_heads):
    x = x.copy()
    if x.shape[-1] % n_heads:
        raise ValueError("columns")
    x.shape = (*x.shape[:-1], n_heads, x.shape[-1] // n_heads)
    return np.asfortranarray(x.swapaxes(-3, -2))


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads).copy() for W in (W_q, W_k, W_v))
    Q /= math.sqrt(Q.shape[-1])
    S = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        np.putmask(S, ~np.broadcast_to(mask, S.shape), -np.inf)
    S -= S.max(axis=-1, keepdims=True)
    np.exp(S, out=S)
    S /= S.sum(axis=-1, keepdims=True)
    return merge_heads(S @ V) @ W_o, S


def repeat_kv(x, n_rep):
    return np.repeat(x, n_rep, axis=-3)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    if n_heads % n_kv_heads:
        raise ValueError(f"{n_heads} query heads for {n_kv_heads} KV heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K, V = (repeat_kv(split_heads(X @ W, n_kv_heads), n_rep) for W in (W_k, W_v))
    out, weights = attention(Q, K, V, mask)
    return merge_heads(out) @ W_o, weights


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
