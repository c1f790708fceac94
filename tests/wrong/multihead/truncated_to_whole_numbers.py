"""What is only moved about loses its fractions on the way: each result is cast to whole numbers, or rounded."""
# fails: split_heads merge_heads repeat_kv
# passes: multi_head_attention grouped_query_attention kv_cache_bytes
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


def heads_of(x, n_heads):
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError(f"{d_model} columns for {n_heads} heads")
    return x.reshape(*lead, T, n_heads, d_model // n_heads).swapaxes(-2, -3)


def side_by_side(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def split_heads(x, n_heads):
    return heads_of(x, n_heads).astype(int)


def merge_heads(x):
    return side_by_side(x).astype(np.int64).astype(x.dtype)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    out, weights = attention(*(heads_of(X @ W, n_heads) for W in (W_q, W_k, W_v)), mask)
    return side_by_side(out) @ W_o, weights


def repeat_kv(x, n_rep):
    return np.round(np.repeat(x, n_rep, axis=-3))


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    if n_heads % n_kv_heads:
        raise ValueError(f"{n_heads} heads for {n_kv_heads} key-value heads")
    K, V = (np.repeat(heads_of(X @ W, n_kv_heads), n_heads // n_kv_heads, axis=-3) for W in (W_k, W_v))
    out, weights = attention(heads_of(X @ W_q, n_heads), K, V, mask)
    return side_by_side(out) @ W_o, weights


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
