"""Zeros of the right shapes."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


def causal_mask(T):
    return np.zeros((T, T), dtype=bool)


def softmax(x):
    return np.zeros(np.shape(x))


def attention(Q, K, V, mask=None):
    return np.zeros(Q.shape[:-1] + V.shape[-1:]), np.zeros(Q.shape[:-1] + K.shape[-2:-1])


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return np.zeros(X.shape[:-1] + W_v.shape[1:]), np.zeros(X.shape[:-1] + X.shape[-2:-1])


def sigmoid(x):
    return np.zeros_like(x)
