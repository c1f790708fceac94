"""Dates, bytes and structured records in place of numbers."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


def causal_mask(T):
    return np.zeros((T, T), dtype=[("visible", bool)])


def softmax(x):
    return np.zeros(x.shape, dtype="timedelta64[s]")


def attention(Q, K, V, mask=None):
    return np.zeros(Q.shape[:-1] + V.shape[-1:], "S8"), np.zeros(Q.shape[:-1] + K.shape[-2:-1], "V8")


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return np.zeros(X.shape[:-1] + W_v.shape[1:], "U3"), np.zeros(X.shape[:-1] + X.shape[-2:-1], "M8[D]")
