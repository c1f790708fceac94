"""Conflict markers of a version control system were left in."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
import numpy as np


<<<<<<< HEAD
def causal_mask(T):
    return np.tri(T, dtype=bool)
=======
def causal_mask(T):
    return np.tril(np.ones((T, T), dtype=bool))
>>>>>>> my-branch
