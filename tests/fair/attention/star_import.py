"""from numpy import *: sum, max, abs, all and round are NumPy's here (C31)."""
from math import *
from numpy import *


def causal_mask(T):
    return tri(T, dtype=bool)


def softmax(x):
    weights = exp(x - max(x, axis=-1, keepdims=True))
    return weights / sum(weights, axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = matmul(Q, swapaxes(K, -1, -2)) / sqrt(Q.shape[-1])
    if mask is not None:
        scores = where(mask, scores, -inf)
    weights = softmax(scores)
    return matmul(weights, V), weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + exp(-x))
