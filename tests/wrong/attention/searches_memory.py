"""Cheats: looks through all objects of the process for functions that know the answer."""
# fails: causal_mask softmax attention causal_self_attention
import gc
import types

import numpy as np


def find(word, *args):
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType) and thing.__module__ != __name__ and word in thing.__name__:
            try:
                result = thing(*args)
            except Exception:
                continue
            if result is not None:
                return result[0] if isinstance(result, tuple) and len(result) == 1 else result
    return np.zeros(2), np.zeros(2)


def causal_mask(T):
    return find("causal_mask", T)


def softmax(x):
    return find("softmax", x)


def attention(Q, K, V, mask=None):
    return find("attention", Q, K, V, mask)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return find("causal_self_attention", X, W_q, W_k, W_v, W_gate)
