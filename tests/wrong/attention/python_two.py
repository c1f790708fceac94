"""Python 2: print without brackets."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


def causal_mask(T):
    print T
    return np.tri(T, dtype=bool)
