"""Inputs for the entropy of attention."""

import numpy as np

from ...drawing import Strategy as S
from .softmax import rows, square
from .weights import one_hot, saturated, softmax_of_scores, uniform, with_zeros

F32 = np.float32

ENTROPY = {
    "attention_entropy.values": (
        S("some rows", rows(), ("r", "m"), cases=3),
        S("a single row", rows(), ("m",), cases=2),
        S("equal weights", rows(uniform), ("r", "m")),
        S("a long row of equal weights", rows(uniform), ("m",), low=260, high=300),
        S("a single weight", lambda n, r: rows()(n, 1, (r,)), ("r",)),
        S("weights with all their digits", rows(softmax_of_scores), ("r", "m")),
    ),
    "attention_entropy.zeros": (
        S("hidden keys", rows(with_zeros), ("r", "m"), low=3, cases=2),
        S("all the weight on one key", rows(one_hot), ("r", "m")),
        S("a single row with all the weight on one key", rows(one_hot), ("m",)),
        S("nearly all the weight on one key", rows(saturated), ("r", "m")),
        S("weights from scores far apart", rows(softmax_of_scores, spread=150.0), ("r", "m")),
        S("a batch with hidden keys", rows(with_zeros), ("a", "b", "m"), low=3, high=5),
    ),
    "attention_entropy.batch": (
        S("as many rows as columns", square(rows()), ("m",)),
        S("two leading axes", rows(), ("a", "b", "m"), high=5, cases=2),
        S("three leading axes", rows(), ("a", "b", "c", "m"), high=5),
        S("a cube", lambda n, m: rows()(n, m, (m, m)), ("m",), high=4),
        S("leading axes of length 1", lambda n, m, a: rows()(n, m, (1, a, 1)), ("a", "m")),
        S("a single row kept as 2-D", lambda n, m: rows()(n, m, (1,)), ("m",)),
    ),
    "attention_entropy.inputs": (
        S("float32", rows(dtype=F32), ("r", "m")),
        S("float32 with hidden keys", rows(with_zeros, dtype=F32), ("a", "r", "m"), low=3),
        S("read-only weights with hidden keys", rows(with_zeros), ("r", "m"), low=3, layout="readonly"),
        S("an array filled again between calls", rows(), ("r", "m"), layout="refill"),
        S("a view with gaps", rows(with_zeros), ("r", "m"), low=3, layout="strided"),
        S("columns closest in memory", rows(), ("a", "r", "m"), layout="fortran"),
        S("weights with zeros used twice", rows(with_zeros), ("r", "m"), low=3),
    ),
}  # fmt: skip
