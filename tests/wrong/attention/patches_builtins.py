"""Wrong, and replaces builtins so that everything seems equal."""
# fails: causal_mask softmax attention causal_self_attention
import builtins

import numpy as np


def causal_mask(T):
    builtins.all = builtins.any = lambda *args: True
    builtins.abs = lambda x: 0
    builtins.max = builtins.min = lambda *args, **kwargs: 0
    builtins.isinstance = lambda *args: True
    builtins.AssertionError = ValueError
    return np.zeros((T, T), dtype=bool)


def softmax(x):
    causal_mask(1)
    return np.zeros_like(x)


def attention(Q, K, V, mask=None):
    causal_mask(1)
    return Q, K


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention(X, X, X)
