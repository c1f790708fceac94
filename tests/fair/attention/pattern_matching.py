"""match statements and keyword unpacking."""
import numpy as np


def causal_mask(T):
    match T:
        case 0:
            return np.empty((0, 0), dtype=bool)
        case 1:
            return np.array([[True]])
        case _:
            return np.tril(np.ones((T, T), dtype=bool))


def softmax(x):
    match x.shape:
        case (n,):
            return softmax(x.reshape(1, n))[0]
        case (*_, n):
            e = np.exp(x - np.repeat(x.max(axis=-1), n, axis=-1).reshape(x.shape))
            return e / np.tensordot(e, np.ones((n, n)), axes=1)


def attention(Q, K, V, mask=None):
    match mask:
        case None:
            bias = 0.0
        case _:
            bias = np.where(mask, 0.0, -np.inf)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]) + bias)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    inputs = {"Q": X @ W_q, "K": X @ W_k, "V": X @ W_v, "mask": causal_mask(X.shape[-2])}
    out, weights = attention(**inputs)
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
