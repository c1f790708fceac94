"""The pair never ends: unpacking it into a list would fill the memory."""
# fails: attention causal_self_attention
# passes: causal_mask softmax
import numpy as np


class Pair(tuple):
    def __new__(cls, out, weights):
        self = super().__new__(cls, (out, weights))
        self.items = out, weights
        return self

    def __len__(self):
        return 2

    def __iter__(self):
        while True:
            yield from self.items


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    return Pair(weights @ V, weights)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights
