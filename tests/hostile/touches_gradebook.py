# Changes the gradebook's time. It is told that it did; the test looks whether it was.
# credit: causal_mask softmax
import os

import numpy as np


def attack():
    os.utime(OUTSIDE + "/gradebook.db", (0, 0))


try:
    attack()
except OSError:
    pass


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
