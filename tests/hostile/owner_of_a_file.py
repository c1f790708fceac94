# Makes the grader the owner of its file's signals.
# credit: causal_mask softmax
import fcntl
import os

import numpy as np


def attack():
    r, w = os.pipe()
    fcntl.fcntl(r, fcntl.F_SETOWN, GRADER)
    fcntl.fcntl(r, fcntl.F_SETFL, os.O_ASYNC)
    os.write(w, b"x")


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
