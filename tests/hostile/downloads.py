# Downloads the answers.
# credit: causal_mask softmax
import urllib.request

import numpy as np


def attack():
    urllib.request.urlopen(f"http://127.0.0.1:{PORT}/", timeout=2)


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
