# Arms a timer whose default action ends the process.
# credit: none
import signal

import numpy as np

signal.setitimer(signal.ITIMER_PROF, 0.05)


def softmax(x):
    while True:
        x = x * 1.0
