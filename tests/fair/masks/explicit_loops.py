"""Plain Python loops over texts, rows and keys, on lists (C2)."""
import math

import numpy as np


def padding_mask(lengths, T):
    return np.array([[[j < n for j in range(T)]] for n in lengths.tolist()])


def from_blocked(mask):
    answers = [not blocked for blocked in mask.ravel().tolist()]
    return np.array(answers, dtype=bool).reshape(mask.shape)


def sliding_window_mask(T, window, sinks=0):
    rows = []
    for i in range(T):
        rows.append([j <= i and (i - j < window or j < sinks) for j in range(T)])
    return np.array(rows)


def combine_masks(*masks):
    masks = [m for m in masks if m is not None]
    if not masks:
        return None
    shape = np.broadcast_shapes(*(m.shape for m in masks))
    stretched = [np.broadcast_to(m, shape) for m in masks]
    return np.array([all(m[cell] for m in stretched) for cell in np.ndindex(*shape)]).reshape(shape)


def _row(row):
    top = max(row)
    if top == -math.inf:
        return [0.0] * len(row)
    e = [math.exp(v - top) for v in row]
    return [v / sum(e) for v in e]


def safe_softmax(x):
    return np.array([_row(r) for r in x.reshape(-1, x.shape[-1]).tolist()]).reshape(x.shape)


def masked_attention(Q, K, V, mask=None):
    lead, T_q, T_k = Q.shape[:-2], Q.shape[-2], K.shape[-2]
    visible = np.broadcast_to(True if mask is None else mask, (*lead, T_q, T_k))
    out, weights = np.zeros((*lead, T_q, V.shape[-1])), np.zeros((*lead, T_q, T_k))
    for b in np.ndindex(*lead):
        for i in range(T_q):
            scores = []
            for j in range(T_k):
                s = sum(float(a) * float(c) for a, c in zip(Q[b][i], K[b][j]))
                scores.append(s / math.sqrt(Q.shape[-1]) if visible[b][i, j] else -math.inf)
            weights[b][i] = _row(scores)
            for j in range(T_k):
                out[b][i] += weights[b][i, j] * V[b][j]
    return out, weights


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
