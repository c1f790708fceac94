"""A bracket is never closed."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
