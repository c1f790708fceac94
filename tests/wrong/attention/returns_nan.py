"""NaN of the right shapes, which equals nothing."""
# fails: causal_mask softmax attention causal_self_attention sigmoid
import numpy as np


def causal_mask(T):
    return np.full((T, T), np.nan)


def softmax(x):
    return np.full(x.shape, np.nan)


def attention(Q, K, V, mask=None):
    return np.full(Q.shape[:-1] + V.shape[-1:], np.nan), np.full(Q.shape[:-1] + K.shape[-2:-1], np.nan)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention(X @ W_q, X @ W_k, X @ W_v)


def sigmoid(x):
    return x * np.nan
