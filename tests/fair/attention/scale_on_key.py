"""The keys are scaled instead of the scores (C15)."""
import numpy as np


def causal_mask(T):
    return np.logical_not(np.triu(np.ones((T, T)), 1))


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    K_scaled = K / np.sqrt(K.shape[-1])
    scores = Q @ np.moveaxis(K_scaled, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out *= sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
