"""Parameters are missing, too many, or in another order."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


def causal_mask():
    return np.tri(3, dtype=bool)


def softmax(x, axis):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def attention(Q, K, V, *, mask):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    weights = softmax(np.where(mask, scores, -np.inf), -1)
    return weights @ V, weights


def causal_self_attention(W_q, W_k, W_v, X):
    return attention(X @ W_q, X @ W_k, X @ W_v, mask=np.tri(X.shape[-2], dtype=bool))
