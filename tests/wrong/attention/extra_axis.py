"""Right values in the wrong shape: an axis of length 1 too many, which broadcasting would forgive."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)[None]


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True))[None]


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, np.tri(X.shape[-2], dtype=bool))
    return out, weights[0]
