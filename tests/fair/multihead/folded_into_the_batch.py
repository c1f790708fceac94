"""Batch and heads are folded into one axis and unfolded again."""
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
    lead = X.shape[:-2]; T, d = X.shape[-2:]
    if d % n_heads: raise ValueError
    D = d//n_heads
    Xf = X.reshape(-1, T, d)
    B = len(Xf)
    fold = lambda a: a.reshape(B, T, n_heads, D).transpose(0,2,1,3).reshape(B*n_heads, T, D)
    Q, K, V = fold(Xf@W_q), fold(Xf@W_k), fold(Xf@W_v)
    m = None if mask is None else np.broadcast_to(mask, (*lead, n_heads, T, T)).reshape(B*n_heads, T, T)
    o, w = attention(Q, K, V, m)
    o = o.reshape(B, n_heads, T, D).transpose(0,2,1,3).reshape(*lead, T, d)
    return o @ W_o, w.reshape(*lead, n_heads, T, T)


def repeat_kv(x, n_rep):
    *b, H, T, D = x.shape
    return np.broadcast_to(x[..., :, None, :, :], (*b, H, n_rep, T, D)).reshape(*b, H*n_rep, T, D)


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
