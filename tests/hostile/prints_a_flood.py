# Prints hundreds of megabytes.
# credit: causal_mask softmax
import os
import sys

import numpy as np

for _ in range(100):
    print("x" * (1 << 20))
    print("x" * (1 << 20), file=sys.stderr)
    os.write(1, b"y" * 4096)
    os.write(2, b"y" * 4096)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
