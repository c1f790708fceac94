# Results of dtypes that are no numbers, or claim to be.
# credit: none
import os

import numpy as np


def softmax(x):
    return x.view([("a", x.dtype)])


def causal_mask(T):
    return np.array([["1"] * T] * T)


def attention(Q, K, V, mask=None):
    return np.array([None]), np.datetime64("now")
