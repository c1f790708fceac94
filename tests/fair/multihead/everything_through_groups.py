"""Multi-head attention is grouped-query attention with as many KV heads as query heads."""
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
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError(f"{d_model} columns for {n_heads} heads")
    return x.reshape(*lead, T, n_heads, d_model // n_heads).swapaxes(-2, -3)


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    o, w = grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_heads, mask)
    return o, w


def repeat_kv(x, n_rep):
    return np.repeat(x, n_rep, axis=-3)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    n_rep = int(n_heads / n_kv_heads)
    if n_rep * n_kv_heads != n_heads: raise ValueError("x")
    Q = split_heads(x=X @ W_q, n_heads=n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_heads=n_kv_heads), n_rep=n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_heads=n_kv_heads), n_rep=n_rep)
    if mask is not None and mask.ndim == 2: mask = mask[None]
    o, w = attention(Q=Q, K=K, V=V, mask=mask)
    return merge_heads(x=o) @ W_o, w


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
