"""Functions that return functions, types and modules; one name is no function at all."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np

softmax = 3.14


def causal_mask(T):
    return np.ndarray


def attention(Q, K, V, mask=None):
    return np, lambda: None


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention
