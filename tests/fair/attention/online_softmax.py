"""One pass over the keys with a running maximum and sum; weights built separately (C14)."""
import numpy as np


def causal_mask(T):
    return np.arange(T) <= np.arange(T).reshape(-1, 1)


def softmax(x):
    m = np.full(x.shape[:-1], -np.inf)
    total = np.zeros(x.shape[:-1])
    for j in range(x.shape[-1]):
        new = np.maximum(m, x[..., j])
        safe = np.where(np.isinf(new), 0, new)
        total = total * np.exp(m - safe) + np.exp(x[..., j] - safe)
        m = new
    return np.exp(x - m[..., None]) / total[..., None]


def attention(Q, K, V, mask=None):
    T_q, T_k = Q.shape[-2], K.shape[-2]
    lead = Q.shape[:-2]
    visible = np.broadcast_to(True if mask is None else mask, lead + (T_q, T_k))
    m = np.full(lead + (T_q,), -np.inf)
    total = np.zeros(lead + (T_q,))
    acc = np.zeros(lead + (T_q, V.shape[-1]))
    columns = []
    for j in range(T_k):
        s = (Q * K[..., j : j + 1, :]).sum(axis=-1) / np.sqrt(Q.shape[-1])
        s = np.where(visible[..., j], s, -np.inf)
        columns.append(s)
        new = np.maximum(m, s)
        safe = np.where(np.isinf(new), 0, new)
        shrink, p = np.exp(m - safe), np.exp(s - safe)
        total = total * shrink + p
        acc = acc * shrink[..., None] + p[..., None] * V[..., j : j + 1, :]
        m = new
    weights = np.exp(np.stack(columns, axis=-1) - m[..., None]) / total[..., None]
    return acc / total[..., None], weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 0.5 + 0.5 * np.tanh(0.5 * x)
