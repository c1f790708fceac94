"""Also takes lists, integers and 0/1 masks (C21, C22, C24)."""
import numpy as np


def _floats(x):
    x = np.asarray(x)
    return x if x.dtype.kind == "f" else x.astype(float)


def causal_mask(T):
    T = int(T)
    return np.tri(T, dtype=bool)


def softmax(x):
    x = _floats(x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    Q, K, V = map(_floats, (Q, K, V))
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(np.asarray(mask).astype(bool), scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    X, W_q, W_k, W_v = map(_floats, (X, W_q, W_k, W_v))
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]).astype(int))
    if W_gate is not None:
        out = out * sigmoid(X @ _floats(W_gate))
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-_floats(x)))
