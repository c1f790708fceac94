"""No newline at the end, form feeds and trailing blanks inside."""
import numpy as np   


def causal_mask(T):
    return np.triu(np.ones((T, T), dtype=bool)).T   


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)   


def attention(Q, K, V, mask=None):
    scores = K @ Q.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        full = np.broadcast_to(mask, Q.shape[:-1] + (K.shape[-2],))
        scores = np.where(full.swapaxes(-1, -2), scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-2, keepdims=True))
    columns = e / e.sum(axis=-2, keepdims=True)
    out = (V.swapaxes(-1, -2) @ columns).swapaxes(-1, -2)
    return out, columns.swapaxes(-1, -2)   


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights   


def sigmoid(x):
    return 1 / (1 + np.exp(-x))