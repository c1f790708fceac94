"""Helpers live inside the functions; one factory makes the rest (C30)."""
import numpy as np


def causal_mask(T):
    def row(i):
        return [j <= i for j in range(T)]

    return np.array([row(i) for i in range(T)], dtype=bool).reshape(T, T)


def make():
    def softmax(x):
        def shifted():
            return x - x.max(axis=-1, keepdims=True)

        def exponentials():
            return np.exp(shifted())

        e = exponentials()
        return e / e.sum(axis=-1, keepdims=True)

    def attention(Q, K, V, mask=None):
        def scores():
            s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
            return s if mask is None else np.where(mask, s, -np.inf)

        weights = softmax(scores())
        return weights @ V, weights

    return softmax, attention


softmax, attention = make()


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    def project(W):
        return X @ W

    out, weights = attention(*map(project, (W_q, W_k, W_v)), causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(project(W_gate))
    return out, weights


def sigmoid(x):
    def f(z):
        return 1 / (1 + np.exp(-z))

    return f(x)
