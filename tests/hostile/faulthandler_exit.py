# Has faulthandler end the process after a while.
# credit: none
import faulthandler
import os
import time

import numpy as np

faulthandler.dump_traceback_later(0.05, exit=True, file=open(os.devnull, "w"))


def softmax(x):
    time.sleep(0.2)
    return x
