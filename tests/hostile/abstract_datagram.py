# Sends to a socket without a file from one end of a pair.
# credit: causal_mask softmax
import socket

import numpy as np


def attack():
    a, b = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    a.sendto(b"x", "\0" + ABSTRACT + "-datagram")


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
