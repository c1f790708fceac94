"""The exceptions are of a class derived from ValueError, and parameters have other names."""
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


class UnevenHeads(ValueError):
    """The heads cannot share out the columns evenly."""


def split_heads(array, heads, *, check=True):
    if check and array.shape[-1] % heads:
        raise UnevenHeads(array.shape[-1], heads)
    D = array.shape[-1] // heads
    return np.stack([array[..., h * D : (h + 1) * D] for h in range(heads)], axis=-3)


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    out, weights = attention(Q, K, V, mask)
    return merge_heads(out) @ W_o, weights


def repeat_kv(x, n_rep):
    return np.repeat(x, n_rep, axis=-3)


def grouped_query_attention(tokens, A, B, C, E, h, g, m=None):
    if h % g != 0:
        raise UnevenHeads(h, g)
    Q, K, V = split_heads(tokens @ A, h), split_heads(tokens @ B, g), split_heads(tokens @ C, g)
    own = np.arange(h) // (h // g)
    out, weights = attention(Q, K[..., own, :, :], V[..., own, :, :], m)
    return merge_heads(out) @ E, weights


def kv_cache_bytes(a, b, c, d, e=1, f=2):
    return (a * b * c * d * e * f) << 1
