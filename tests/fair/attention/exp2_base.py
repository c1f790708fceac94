"""Powers of two with log2(e) folded into the scale (C12)."""
import numpy as np

LOG2E = np.log2(np.e)


def causal_mask(T):
    return np.tri(T) > 0


def softmax(x):
    e = np.exp2((x - x.max(axis=-1, keepdims=True)) * LOG2E)
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) * (LOG2E / np.sqrt(Q.shape[-1]))
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp2(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp2(-x * LOG2E))
