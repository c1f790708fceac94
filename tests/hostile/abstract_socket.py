# Connects to a socket without a file.
# credit: causal_mask softmax
import socket

import numpy as np


def attack():
    s = socket.socket(socket.AF_UNIX)
    s.connect("\0" + ABSTRACT)


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
