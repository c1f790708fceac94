# Recurses without a limit, down to a crash.
# credit: causal_mask
import functools
import sys

import numpy as np

sys.setrecursionlimit(10**9)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    return repr(functools.reduce(lambda a, _: [a], range(10**6), [])) and softmax(x)
