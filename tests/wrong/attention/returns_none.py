"""Functions that end without a return."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


def causal_mask(T):
    mask = np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    print(Q.shape)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    pass


def sigmoid(x):
    ...
