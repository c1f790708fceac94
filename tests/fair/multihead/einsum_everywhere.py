"""Every product and every exchange of axes is an einsum (C1)."""
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
    try:
        y = x.reshape(*x.shape[:-1], n_heads, -1)
    except ValueError as e:
        raise ValueError("d_model must be divisible") from e
    return np.einsum("...thd->...htd", y)


def merge_heads(x):
    y = np.einsum("...htd->...thd", x)
    return np.reshape(y, (*y.shape[:-2], y.shape[-2]*y.shape[-1]))


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    d = X.shape[-1]
    if d % n_heads: raise ValueError
    D = d // n_heads
    A = [W.reshape(d, n_heads, D) for W in (W_q, W_k, W_v)]
    Q, K, V = (np.einsum("...tm,mhd->...htd", X, W) for W in A)
    S = np.einsum("...hqd,...hkd->...hqk", Q, K) * D**-0.5
    if mask is not None: S = S + np.where(mask, 0.0, -np.inf)
    S -= S.max(-1, keepdims=True); P = np.exp(S); P /= P.sum(-1, keepdims=True)
    O = np.einsum("...hqk,...hkd->...hqd", P, V)
    return [np.einsum("...hqd,hdm->...qm", O, W_o.reshape(n_heads, D, d)), P]


def repeat_kv(x, n_rep):
    return np.einsum("...gtd,gh->...htd", x, np.kron(np.eye(x.shape[-3]), np.ones((1, n_rep))))


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
