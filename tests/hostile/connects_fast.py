# Sends without connecting.
# credit: causal_mask softmax
import socket

import numpy as np


def attack():
    socket.socket().sendto(b"x", 0x20000000, ("127.0.0.1", PORT))


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
