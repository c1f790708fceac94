"""Objects that turn into another array every time they are asked, and note who asks."""
# fails: causal_mask softmax attention causal_self_attention
import sys

import numpy as np


class Chameleon:
    def __init__(self, shape):
        self.shape, self.asked = shape, 0

    def __array__(self, dtype=None, copy=None):
        self.asked += 1
        frame = sys._getframe(1)
        while frame is not None:
            for value in list(frame.f_locals.values()):
                if isinstance(value, np.ndarray) and value.shape == self.shape and self.asked > 1:
                    return value
            frame = frame.f_back
        return np.full(self.shape, self.asked, dtype=dtype or float)


def causal_mask(T):
    return Chameleon((T, T))


def softmax(x):
    return Chameleon(x.shape + (1,))


def attention(Q, K, V, mask=None):
    return Chameleon(Q.shape), Chameleon(K.shape)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return Chameleon(X.shape + (2,)), Chameleon(X.shape + (3,))
