# Starts a pool of processes.
# credit: causal_mask softmax
import multiprocessing

import numpy as np


def attack():
    multiprocessing.get_context("fork").Pool(2).map(abs, [1, 2])


won = False
try:
    attack()
    won = True
except Exception:
    pass
assert not won, "GOTCHA"


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
