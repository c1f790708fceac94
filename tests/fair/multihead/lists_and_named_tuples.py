"""Pairs come as a list, a generator or a named tuple (C28); a number as an array without axes."""
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
    from collections import namedtuple
    R = namedtuple("R", "out weights")
    D = X.shape[-1] // n_heads
    Q = split_heads(X @ (W_q / math.sqrt(D)), n_heads); K = split_heads(X @ W_k, n_heads); V = split_heads(X @ W_v, n_heads)
    S = (K @ Q.swapaxes(-1,-2)).swapaxes(-1,-2)
    S = S if mask is None else np.where(mask, S, np.finfo(S.dtype).min)
    w = softmax(S)
    return R(merge_heads(w @ V) @ W_o, w)


def repeat_kv(x, n_rep):
    return np.repeat(x, n_rep, axis=-3)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    if n_heads % n_kv_heads:
        raise ValueError("groups")
    Q = split_heads(X @ W_q, n_heads)
    K, V = (repeat_kv(split_heads(X @ W, n_kv_heads), n_heads // n_kv_heads) for W in (W_k, W_v))
    out, weights = attention(Q, K, V, mask)
    return [merge_heads(out) @ W_o, weights.tolist()]


def kv_cache_bytes(*args):
    args = list(args) + [1, 2][len(args) - 4:]
    from functools import reduce
    return np.array(reduce(lambda p, q: p * q, args) * 2)
