"""A script with a line for the shell, as notebooks have them."""
!pip install numpy
import numpy as np
import math
LOG2E = 1.4426950408889634
def softmax(x):
    y = np.asarray(x, np.float64)
    y = (y - y.max(-1, keepdims=True)) * LOG2E
    p = np.exp2(y)
    return p / p.sum(-1, keepdims=True)


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
