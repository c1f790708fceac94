# Forks twice, leaves the session, and writes once everybody has gone.
# credit: causal_mask softmax
import os
import time

import numpy as np


def attack():
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1)
            open(OUTSIDE + "/survivor", "w").close()
            time.sleep(600)
        os._exit(0)


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
