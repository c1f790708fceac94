# Opens the grader's files through /proc.
# credit: causal_mask softmax
import os

import numpy as np


def attack():
    assert [os.readlink(f"/proc/{GRADER}/fd/{fd}") for fd in (0, 1, 2)]
    open(f"/proc/{GRADER}/fd/0").close()
    open(f"/proc/{GRADER}/maps").read()


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
