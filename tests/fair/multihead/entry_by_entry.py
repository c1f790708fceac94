"""Numbers are moved one by one in Python loops."""
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
    if x.shape[-1] % n_heads:
        raise ValueError("d_model")
    D = x.shape[-1] // n_heads
    out = np.empty(x.shape[:-2] + (n_heads, x.shape[-2], D), x.dtype)
    for i in np.ndindex(*x.shape):
        h, c = divmod(i[-1], D)
        out[i[:-2] + (h, i[-2], c)] = x[i]
    return out


def merge_heads(x):
    H, T, D = x.shape[-3:]
    out = np.empty(x.shape[:-3] + (T, H * D), x.dtype)
    for i in np.ndindex(*x.shape):
        out[i[:-3] + (i[-2], i[-3] * D + i[-1])] = x[i]
    return out


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    out, weights = attention(Q, K, V, mask)
    return merge_heads(out) @ W_o, weights


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
    total = 0
    for _ in range(n_layers):
        for _ in "kv":
            total += n_kv_heads * head_dim * seq_len * batch * bytes_per_value
    return total
