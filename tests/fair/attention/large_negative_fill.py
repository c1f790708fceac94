"""Hidden scores become -1e9 (C5)."""
import numpy as np


def causal_mask(T):
    return ~np.triu(np.ones((T, T), dtype=bool), k=1)


def softmax(x):
    e = np.exp(x - np.amax(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    axes = list(range(K.ndim))
    axes[-1], axes[-2] = axes[-2], axes[-1]
    scores = np.matmul(Q, K.transpose(axes)) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = softmax(scores)
    return np.matmul(weights, V), weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    Q = np.matmul(X, W_q)
    K = np.matmul(X, W_k)
    V = np.matmul(X, W_v)
    out, weights = attention(Q, K, V, mask=causal_mask(X.shape[-2]))
    if W_gate is not None:
        gate = sigmoid(np.matmul(X, W_gate))
        out = np.multiply(gate, out)
    return out, weights


def sigmoid(x):
    x = np.clip(x, -500, 500)
    return 1 / (1 + np.exp(-x))
