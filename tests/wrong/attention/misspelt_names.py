"""Right functions under names nobody asks for."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


def casual_mask(T):
    return np.tri(T, dtype=bool)


def Softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = Softmax(scores)
    return weights @ V, weights


def causal_self_attention_(X, W_q, W_k, W_v, W_gate=None):
    return scaled_dot_product_attention(X @ W_q, X @ W_k, X @ W_v, casual_mask(X.shape[-2]))
