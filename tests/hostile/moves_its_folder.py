# Moves its own folder to where the next submission could find it, or where the next one's is to be.
# credit: causal_mask softmax
import os

import numpy as np


def attack():
    here = os.getcwd()
    base, number = os.path.split(here)
    with open("kept", "w") as file:
        file.write("x" * 1000)
    for name in ("stash", *(str(n) for n in range(200))):
        try:
            os.rename(here, os.path.join(base, name))
            return True
        except OSError:
            pass


won = attack()
assert not won, "GOTCHA"


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
