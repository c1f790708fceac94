"""The columns of W_k and W_v are repeated instead of the heads, and multi-head attention does the rest."""
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
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    out, weights = attention(Q, K, V, mask)
    return merge_heads(out) @ W_o, weights


def repeat_kv(x, n_rep):
    y = np.tile(np.expand_dims(x, -3), (n_rep, 1, 1)); return y.reshape(*x.shape[:-3], -1, *x.shape[-2:])


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    if n_heads % n_kv_heads: raise ValueError
    G = n_heads//n_kv_heads; D = X.shape[-1]//n_heads
    d = X.shape[-1]
    wide = lambda W: np.repeat(W.reshape(d, n_kv_heads, D), G, axis=1).reshape(d, d)
    return multi_head_attention(X, W_q, wide(W_k), wide(W_v), W_o, n_heads, mask)


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
