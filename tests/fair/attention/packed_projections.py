"""One packed product for queries, keys and values, sliced afterwards (C41)."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    blocks = [W_v, W_q, W_k] + ([] if W_gate is None else [W_gate])
    packed = X @ np.concatenate(blocks, axis=1)
    V, Q, K, *gate = np.split(packed, np.cumsum([W.shape[1] for W in blocks])[:-1], axis=-1)
    out, weights = attention(Q, K, V, causal_mask(X.shape[-2]))
    if gate:
        out = out * sigmoid(gate[0])
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
