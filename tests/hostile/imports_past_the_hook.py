# Removes what keeps the course package away, and imports it.
# credit: causal_mask softmax
import os
import sys

import numpy as np


def attack():
    sys.meta_path[:] = [m for m in sys.meta_path if isinstance(m, type)]
    for name in [n for n in sys.modules if n.startswith("attnlab")]:
        del sys.modules[name]
    sys.path.insert(0, os.path.dirname(PACKAGE))
    import attnlab.attention


won = False
try:
    attack()
    won = True
except Exception:
    pass
assert not won, "GOTCHA"


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
