"""Dictionaries in place of arrays; one of two keys unpacks into its keys."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


def causal_mask(T):
    return {(i, j): j <= i for i in range(T) for j in range(T)}


def softmax(x):
    return {"weights": np.exp(x) / np.exp(x).sum()}


def attention(Q, K, V, mask=None):
    return {"out": V, "weights": Q}


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return {"out", "weights"}
