"""The functions are objects with __call__, lambdas and closures (C30)."""
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


merge_heads = lambda x: np.moveaxis(x, -3, -2).reshape(*x.shape[:-3], x.shape[-2], -1)


class MultiHead:
    """Keeps nothing between calls."""

    def __init__(self, kv=None):
        self.kv = kv

    def __call__(self, X, W_q, W_k, W_v, W_o, n_heads, *rest):
        kv, *rest = rest if self.kv else (n_heads, *rest)
        if n_heads % kv:
            raise ValueError("groups")
        Q = split_heads(X @ W_q, n_heads)
        K, V = (repeat_kv(split_heads(X @ W, kv), n_heads // kv) for W in (W_k, W_v))
        out, weights = attention(Q, K, V, *rest)
        return merge_heads(out) @ W_o, weights


multi_head_attention = MultiHead()


def repeat_kv(x, n_rep):
    return np.repeat(x, n_rep, axis=-3)


grouped_query_attention = MultiHead(kv=True)


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
