# Adds an audit hook that refuses everything from now on.
# credit: none
import sys

import numpy as np


def hook(event, args):
    raise RuntimeError(event)


sys.addaudithook(hook)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
