# Has the regular expression engine run for ever, where no signal stops it.
# credit: none
import re

import numpy as np


def softmax(x):
    return re.match(r"(a+)+$", "a" * 64 + "b")
