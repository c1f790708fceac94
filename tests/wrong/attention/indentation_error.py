"""A body is not indented."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


def causal_mask(T):
return np.tri(T, dtype=bool)
