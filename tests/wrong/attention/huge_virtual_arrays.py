"""Arrays that claim a million by a million entries and occupy eight bytes."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


def causal_mask(T):
    return np.broadcast_to(True, (10**6, 10**6))


def softmax(x):
    return np.broadcast_to(1.0, x.shape[:-1] + (10**12,))


def attention(Q, K, V, mask=None):
    return np.broadcast_to(0.0, (10**6, 10**6)), np.broadcast_to(0.0, (10**6, 10**6))


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention(X, X, X)
