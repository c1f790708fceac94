"""Windows line endings; комментарии на русском."""
import numpy as np


def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool))


def softmax(x):
    x = x - x.max(-1, keepdims=True)
    x = np.exp(x)
    return x / x.sum(-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ np.swapaxes(K, -1, -2) / Q.shape[-1] ** 0.5
    if mask is not None:
        bias = np.zeros(mask.shape, dtype=scores.dtype)
        bias[~mask] = -np.inf
        scores = scores + bias
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return np.exp(-np.logaddexp(0, -x))
