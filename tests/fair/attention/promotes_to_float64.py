"""Everything is float64 whatever comes in, also the results (C19)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=np.float64).astype(bool)


def softmax(x):
    x = np.array(x, dtype=np.float64)
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def attention(Q, K, V, mask=None):
    Q, K, V = (np.asarray(a, dtype=np.float64) for a in (Q, K, V))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(np.float64(Q.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    X, W_q, W_k, W_v = [np.float64(a) for a in (X, W_q, W_k, W_v)]
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    x = np.asarray(x, dtype=np.float64)
    return 1 / (1 + np.exp(-x))
