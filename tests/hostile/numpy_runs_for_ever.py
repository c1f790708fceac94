# Has NumPy compute for hours in one call.
# credit: none
import os

import numpy as np


def softmax(x):
    big = np.ones((4000, 4000))
    while True:
        big = big @ big * 1e-9
