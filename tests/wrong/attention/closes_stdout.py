"""Closes the standard streams, as objects and as file descriptors, and is wrong."""
# fails: softmax attention causal_self_attention
import os
import sys

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    sys.stdout.close()
    sys.stderr.close()
    for fd in (0, 1, 2):
        try:
            os.close(fd)
        except OSError:
            pass
    return x


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
