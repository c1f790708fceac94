# Becomes another program, which knows no limits.
# credit: causal_mask softmax
import os
import sys

import numpy as np


def attack():
    os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(600)"])


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
