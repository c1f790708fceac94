# Sleeps before anything is defined.
# credit: none
import time

import numpy as np

time.sleep(1e6)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
