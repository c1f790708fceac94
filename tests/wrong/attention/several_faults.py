"""Four independent faults, one in each function."""
# fails: causal_mask softmax attention causal_self_attention
# at once: softmax = no_max_subtraction, over_axis_before_last
# at once: causal_self_attention = mask_forgotten, query_and_key_exchanged
import numpy as np


def causal_mask(T):
    return np.triu(np.ones((T, T)), k=1)


def softmax(x):
    return np.exp(x) / np.sum(np.exp(x), axis=0)


def attention(Q, K, V, mask=None):
    scores = Q @ K.T / Q.shape[-1]
    if mask is not None:
        scores = scores * mask
    return softmax(scores) @ V


def causal_self_attention(X, W_q, W_k, W_v):
    return attention(X @ W_k, X @ W_q, X @ W_v)
