"""Arrays of Python objects of the right shape: nothing, text, and numbers that lie when compared."""
# fails: causal_mask softmax attention causal_self_attention
# at once: causal_self_attention = mask_forgotten, tokens_compared_raw
import numpy as np


class Number(float):
    def __sub__(self, other):
        return 0.0

    __rsub__ = __sub__

    def __eq__(self, other):
        return True

    __hash__ = float.__hash__


def causal_mask(T):
    return np.full((T, T), None, dtype=object)


def softmax(x):
    return np.full(x.shape, "0.5", dtype=object)


def attention(Q, K, V, mask=None):
    out = np.empty(Q.shape[:-1] + V.shape[-1:], dtype=object)
    weights = np.empty(Q.shape[:-1] + K.shape[-2:-1], dtype=object)
    out.fill(Number(0.5))
    weights.fill(Number(0.5))
    return out, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention(X, X, X @ W_v)
