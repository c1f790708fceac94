# Signals every process there is (with 0, for a test that fails must not end the session it runs in).
# credit: causal_mask softmax
import os

import numpy as np


def attack():
    os.kill(-1, 0)


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
