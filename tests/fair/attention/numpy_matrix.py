"""np.matrix inside, and returned where there are two axes (C46)."""
import numpy as np


def causal_mask(T):
    return np.asmatrix(np.tri(T, dtype=bool))


def softmax(x):
    if x.ndim == 1:
        return np.asarray(softmax(np.matrix(x)))[0]
    if x.ndim > 2:
        return np.array([np.asarray(softmax(part)) for part in x])
    m = np.asmatrix(x)
    e = np.exp(m - m.max(axis=1))
    return e / e.sum(axis=1)


def attention(Q, K, V, mask=None):
    if Q.ndim > 2:
        full = np.broadcast_to(True if mask is None else np.asarray(mask), Q.shape[:-1] + (K.shape[-2],))
        pairs = [attention(*args) for args in zip(Q, K, V, full)]
        return np.array([np.asarray(o) for o, _ in pairs]), np.array([np.asarray(w) for _, w in pairs])
    q, k, v = np.asmatrix(Q), np.asmatrix(K), np.asmatrix(V)
    scores = q * k.T / np.sqrt(Q.shape[1])
    if mask is not None:
        scores = np.asmatrix(np.where(mask, scores, -np.inf))
    weights = softmax(scores)
    return weights * v, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = np.multiply(out, sigmoid(X @ W_gate))
    return out, weights


def sigmoid(x):
    y = 1 / (1 + np.exp(-x))
    return np.asmatrix(y) if y.ndim == 2 else y
