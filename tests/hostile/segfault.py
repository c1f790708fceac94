# Writes through a null pointer.
# credit: causal_mask
import ctypes

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    ctypes.memset(0, 0, 1 << 20)
