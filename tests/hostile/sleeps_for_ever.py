# Sleeps.
# credit: causal_mask
import time

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    time.sleep(1e6)
