"""Each function is right the first time it is called and wrong ever after."""
# fails: causal_mask softmax attention causal_self_attention
import functools

import numpy as np


def once(function):
    first = True

    @functools.wraps(function)
    def wrapper(*args):
        nonlocal first
        result = function(*args)
        if not first:
            result = tuple(r * 0 for r in result) if isinstance(result, tuple) else result * 0
        first = False
        return result

    return wrapper


@once
def causal_mask(T):
    return np.tri(T, dtype=bool)


@once
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@once
def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@once
def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention.__wrapped__(X @ W_q, X @ W_k, X @ W_v, np.tri(X.shape[-2], dtype=bool))
