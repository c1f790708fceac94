"""All leading axes are merged, looped over and restored; masks are spread to full size first (C3, C23)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    rows = x.reshape(-1, x.shape[-1])
    result = []
    for row in rows:
        e = np.exp(row - row.max())
        result.append(e / e.sum())
    return np.array(result).reshape(x.shape)


def attention(Q, K, V, mask=None):
    *lead, T_q, d_k = Q.shape
    T_k, d_v = V.shape[-2:]
    q = Q.reshape(-1, T_q, d_k)
    k = K.reshape(-1, T_k, d_k)
    v = V.reshape(-1, T_k, d_v)
    m = np.broadcast_to(True if mask is None else mask, (*lead, T_q, T_k)).reshape(-1, T_q, T_k)
    outs, ws = [], []
    for b in range(len(q)):
        s = q[b] @ k[b].T / np.sqrt(d_k)
        s[~m[b]] = -np.inf
        w = softmax(s)
        ws.append(w)
        outs.append(w @ v[b])
    return np.stack(outs).reshape(*lead, T_q, d_v), np.stack(ws).reshape(*lead, T_q, T_k)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    flat = x.ravel()
    return np.array([1 / (1 + np.exp(-v)) for v in flat]).reshape(x.shape)
