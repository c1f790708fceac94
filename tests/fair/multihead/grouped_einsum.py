"""Keys and values are never repeated: the groups have an axis of their own (C42)."""
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
    return x[..., np.arange(x.shape[-3]*n_rep)//n_rep, :, :]


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    *b, T, d = X.shape
    G, r = divmod(n_heads, n_kv_heads)
    if r: raise ValueError("r")
    D = d//n_heads
    Q = (X@W_q).reshape(*b, T, n_kv_heads, G, D)
    K = (X@W_k).reshape(*b, T, n_kv_heads, D)
    V = (X@W_v).reshape(*b, T, n_kv_heads, D)
    S = np.einsum("...qngd,...knd->...ngqk", Q, K).reshape(*b, n_heads, T, T)/D**.5
    if mask is not None: S = np.where(mask, S, -np.inf)
    w = softmax(S)
    o = np.einsum("...ngqk,...knd->...qngd", w.reshape(*b, n_kv_heads, G, T, T), V).reshape(*b, T, d)
    return o@W_o, w


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
