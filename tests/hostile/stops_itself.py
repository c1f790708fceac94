# Stops itself, so that nobody ever answers.
# credit: causal_mask
import os
import signal

import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    os.kill(os.getpid(), signal.SIGSTOP)
