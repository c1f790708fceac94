"""Loops over every batch element, query and key (C2)."""
import math

import numpy as np


def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        for j in range(i + 1):
            mask[i, j] = True
    return mask


def softmax(x):
    result = np.zeros(x.shape)
    for idx in np.ndindex(*x.shape[:-1]):
        row = x[idx]
        m = max(float(v) for v in row)
        total = 0.0
        for j in range(len(row)):
            result[idx][j] = math.exp(float(row[j]) - m)
            total += result[idx][j]
        for j in range(len(row)):
            result[idx][j] /= total
    return result


def attention(Q, K, V, mask=None):
    lead = Q.shape[:-2]
    T_q, d_k = Q.shape[-2:]
    T_k, d_v = V.shape[-2:]
    if mask is not None:
        mask = np.broadcast_to(mask, lead + (T_q, T_k))
    out = np.zeros(lead + (T_q, d_v))
    weights = np.zeros(lead + (T_q, T_k))
    for b in np.ndindex(*lead):
        for i in range(T_q):
            scores = np.full(T_k, -np.inf)
            for j in range(T_k):
                if mask is None or mask[b][i][j]:
                    s = 0.0
                    for c in range(d_k):
                        s += float(Q[b][i][c]) * float(K[b][j][c])
                    scores[j] = s / math.sqrt(d_k)
            weights[b][i] = softmax(scores)
            for j in range(T_k):
                for c in range(d_v):
                    out[b][i][c] += weights[b][i][j] * V[b][j][c]
    return out, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is None:
        return out, weights
    gate = sigmoid(X @ W_gate)
    for idx in np.ndindex(*out.shape):
        out[idx] *= gate[idx[:-1]][idx[-1] if gate.shape[-1] > 1 else 0]
    return out, weights


def sigmoid(x):
    result = np.empty(x.shape)
    for idx in np.ndindex(*x.shape):
        v = float(x[idx])
        if v >= 0:
            result[idx] = 1 / (1 + math.exp(-v))
        else:
            result[idx] = math.exp(v) / (1 + math.exp(v))
    return result
