"""The pair is an object that only knows how to be unpacked (C28)."""
import numpy as np


class Result:
    __slots__ = ("out", "weights")

    def __init__(self, out, weights):
        self.out, self.weights = out, weights

    def __iter__(self):
        yield self.out
        yield self.weights


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
    return Result(weights @ V, weights)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    result = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        result.out = result.out * sigmoid(X @ W_gate)
    return result


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
