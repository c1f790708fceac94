# Hands out a buffer that a thread goes on changing.
# credit: none
import threading

import numpy as np

buffer = np.zeros((64, 64), bool)


def change():
    while True:
        buffer[:] = ~buffer


def causal_mask(T):
    if threading.active_count() < 3:
        threading.Thread(target=change, daemon=True).start()
    return buffer[:T, :T]


def softmax(x):
    return buffer[: len(x)]
