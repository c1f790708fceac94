"""Gives its results in the other byte order."""
import numpy as np
import math
def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True)); return (e / e.sum(-1, keepdims=True)).astype(">f8")


def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool))

def sigmoid(x):
    z = np.clip(x, -60, 60)
    return 1.0 / (1.0 + np.exp(-z))

def attention(Q, K, V, mask=None):
    d_k = Q.shape[-1]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, float('-inf'))
    weights = softmax(scores)
    out = weights @ V
    return out, weights

def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    T = X.shape[-2]
    mask = causal_mask(T)
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, mask)
    if W_gate is None:
        return out, weights
    g = sigmoid(X @ W_gate)
    return g * out, weights
