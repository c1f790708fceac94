# Starts a program that outlives it.
# credit: causal_mask softmax
import subprocess

import numpy as np


def attack():
    subprocess.Popen(["sleep", "600"], start_new_session=True)


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
