"""Inputs for the log-n factor."""

import numpy as np

from ...drawing import Strategy as S

TRAINED = (2, 10, 64, 512, 4096)


def number(n, least=1.5, most=40.0):
    """A context longer than in training, as a Python int."""
    n_train = int(n.rng.choice(TRAINED))
    return int(n_train * n.rng.uniform(least, most)) + 1, n_train


def fraction(n):
    """A context length that is no whole number, such as a mean."""
    length, n_train = number(n)
    return length + 0.5, n_train


def positions(n, *shape, n_train=None, dtype=np.int64):
    """Positions on both sides of the length of training."""
    n_train = int(n.rng.choice(TRAINED[2:])) if n_train is None else n_train
    return n.rng.integers(1, 4 * n_train, shape).astype(dtype), n_train


def in_order(n, T):
    """The positions 1 to T of a causal sequence that outgrows its training."""
    return np.arange(1, T + 1), max(2, T // 2)


def continued(n, b, T):
    """Each sequence of a batch is at another place of its text."""
    start = n.rng.integers(1, 500, (b, 1))  # (b, 1)
    return start + np.arange(T), 64  # (b, T)


LOG_N = {
    "log_n_scale.numbers": (
        S("a context longer than in training", number, cases=4),
        S("a context as long as in training", lambda n, T: (T + 1, T + 1), ("T",)),
        S("a context in fractions", fraction, cases=2),
        S("training on two keys", lambda n, T: (T, 2), ("T",), low=3, high=90),
    ),
    "log_n_scale.positions": (
        S("the positions of a causal sequence", in_order, ("T",), low=6, high=12, cases=2),
        S("any positions", lambda n, T: positions(n, T), ("T",), low=3, cases=2),
        S("the positions of a batch", lambda n, b, T: positions(n, b, T), ("b", "T"), cases=2),
        S("sequences at different places of their texts", continued, ("b", "T"), low=3),
        S("a column of positions", lambda n, T: positions(n, T, 1), ("T",)),
        S("three axes", lambda n, b, h, T: positions(n, b, h, T), ("b", "h", "T"), high=5),
        S("as many sequences as positions", lambda n, T: positions(n, T, T), ("T",)),
    ),
    "log_n_scale.short": (
        S("a context shorter than in training", lambda n: number(n, 0.0, 0.4), cases=3),
        S("a single key", lambda n: (1, int(n.rng.choice(TRAINED)))),
        S("positions that all lie within the training",
          lambda n, T: (n.rng.integers(1, 60, (T,)), 64), ("T",), cases=2),
        S("positions that all lie beyond the training",
          lambda n, T: (64 + n.rng.integers(1, 600, (T,)), 64), ("T",)),
        S("the first position beside later ones", lambda n, T: (np.arange(1, T + 1) ** 2, 10), ("T",), low=3),
    ),
    "log_n_scale.inputs": (
        S("read-only positions", lambda n, T: positions(n, T), ("T",), layout="readonly"),
        S("positions filled again between calls",
          lambda n, T: positions(n, T, n_train=64), ("T",), layout="refill"),
        S("a view with gaps", lambda n, b, T: positions(n, b, T), ("b", "T"), layout="strided"),
        S("columns closest in memory", lambda n, b, T: positions(n, b, T), ("b", "T"), layout="fortran"),
        S("positions in float64", lambda n, T: positions(n, T, dtype=np.float64), ("T",)),
        S("positions in float32", lambda n, b, T: positions(n, b, T, dtype=np.float32), ("b", "T")),
        S("positions used twice", lambda n, T: positions(n, T), ("T",)),
    ),
}  # fmt: skip
