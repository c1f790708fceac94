"""Looks for helpers beside itself by way of __file__."""
import numpy as np
import math
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))


def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool))

def softmax(x):
    x = np.asarray(x)
    shifted = x - np.max(x, axis=-1, keepdims=True)
    ex = np.exp(shifted)
    return ex / np.sum(ex, axis=-1, keepdims=True)

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
