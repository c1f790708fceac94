# Objects that never end becoming arrays.
# credit: none
import os

import numpy as np


class Bomb:
    def __array__(self, dtype=None, copy=None):
        while True:
            pass


class Nested:
    def __len__(self):
        return 1 << 30

    def __getitem__(self, i):
        return Nested()


def softmax(x):
    return Bomb()


def causal_mask(T):
    return Nested()
