"""Cheats: looks for the expected answer in the variables of its callers."""
# fails: causal_mask softmax attention causal_self_attention
import sys

import numpy as np


def find(shapes):
    frame = sys._getframe(2)
    while frame is not None:
        for scope in (frame.f_locals, frame.f_globals):
            for name in ("expected", "want", "answer", "solution", "reference"):
                value = scope.get(name)
                if isinstance(value, tuple) and [np.shape(v) for v in value] == shapes:
                    return value
            for value in list(scope.values()):
                expected = getattr(value, "expected", None)
                if isinstance(expected, tuple):
                    for group in expected:
                        if isinstance(group, tuple) and [np.shape(v) for v in group] == shapes:
                            return group
            for name, value in list(scope.items()):
                if "oracle" in name and callable(value):
                    return value(*frame.f_locals.get("args", ()))
        frame = frame.f_back
    return tuple(np.zeros(shape) for shape in shapes)


def causal_mask(T):
    return find([(T, T)])[0]


def softmax(x):
    return find([x.shape])[0]


def attention(Q, K, V, mask=None):
    return find([Q.shape[:-1] + V.shape[-1:], Q.shape[:-1] + K.shape[-2:-1]])


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return find([X.shape[:-1] + W_v.shape[1:], X.shape[:-1] + X.shape[-2:-1]])
