# Closes every file descriptor.
# credit: causal_mask
import os

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    os.closerange(0, 1 << 16)
    return x
