"""Queries and keys are each multiplied by d_k ** -0.25 (C15)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    root = Q.shape[-1] ** -0.25
    scores = (Q * root) @ (K * root).swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    root = W_q.shape[-1] ** -0.25
    scores = (X @ (W_q * root)) @ (X @ (W_k * root)).swapaxes(-1, -2)
    scores = np.where(causal_mask(X.shape[-2]), scores, -np.inf)
    weights = softmax(scores)
    out = weights @ (X @ W_v)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
