"""One head after the other, each with its columns of the projections (C2)."""
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
    pieces = np.split(x, n_heads, axis=-1)
    return np.stack(pieces, axis=-3)


def merge_heads(x):
    return np.concatenate([x[..., h, :, :] for h in range(x.shape[-3])], axis=-1)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    D = X.shape[-1] // n_heads
    if D * n_heads != X.shape[-1]: raise ValueError("bad")
    outs, ws = [], []
    for h in range(n_heads):
        s = slice(h*D, h*D+D)
        m = None if mask is None else (mask if mask.ndim == 2 else mask[..., h if mask.shape[-3] > 1 else 0, :, :])
        o, w = attention(X @ W_q[:, s], X @ W_k[:, s], X @ W_v[:, s], m)
        outs.append(o); ws.append(w)
    return np.concatenate(outs, -1) @ W_o, np.stack(ws, -3)


def repeat_kv(x, n_rep):
    return np.concatenate([x[..., h//n_rep:h//n_rep+1, :, :] for h in range(n_rep*x.shape[-3])], axis=-3)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    if n_heads % n_kv_heads != 0:
        raise ValueError("n")
    D = X.shape[-1]//n_heads
    Q, K, V = X@W_q, X@W_k, X@W_v
    os, ws = [], []
    for h in range(n_heads):
        g = h // (n_heads//n_kv_heads)
        m = mask if mask is None or mask.ndim < 3 else (mask[..., h, :, :] if mask.shape[-3] == n_heads else mask[..., 0, :, :])
        o, w = attention(Q[..., h*D:(h+1)*D], K[..., g*D:(g+1)*D], V[..., g*D:(g+1)*D], m)
        os.append(o); ws.append(w)
    return np.concatenate(os, -1)@W_o, np.stack(ws, -3)


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    return 2 * n_layers * n_kv_heads * head_dim * seq_len * batch * bytes_per_value
