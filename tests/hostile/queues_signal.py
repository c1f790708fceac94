# Sends the grader a signal with a forged sender.
# credit: causal_mask softmax
import ctypes
import platform

import numpy as np


def attack():
    libc = ctypes.CDLL(None, use_errno=True)
    number = 129 if platform.machine() == "x86_64" else 138
    if libc.syscall(number, GRADER, 15, None) < 0:
        raise OSError(ctypes.get_errno())


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
