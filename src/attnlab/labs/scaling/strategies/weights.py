"""Rows of weights, as softmax gives them."""

import math

import numpy as np


def weights(n, m, lead=(), dtype=np.float64):
    """Rows of positive fractions that sum to exactly 1."""
    total = 2 ** math.ceil(math.log2(4 * m))
    counts = 1 + n.rng.multinomial(total - m, n.rng.dirichlet(np.ones(m)), lead)  # (..., m)
    return (counts / total).astype(dtype)


def with_zeros(n, m, lead=(), dtype=np.float64):
    """Rows in which half the weights are exactly 0, at random places: those of keys hidden by a mask."""
    seen = weights(n, max(1, m // 2), lead, dtype)  # (..., about half of m)
    hidden = np.zeros((*lead, m - seen.shape[-1]), dtype)
    return n.rng.permuted(np.concatenate([seen, hidden], axis=-1), axis=-1)  # (..., m)


def one_hot(n, m, lead=(), dtype=np.float64):
    """Rows with all the weight on one key."""
    return np.eye(m, dtype=dtype)[n.rng.integers(0, m, lead)]  # (..., m)


def saturated(n, m, lead=(), rest=2.0**-10, dtype=np.float64):
    """Rows with nearly all the weight on one key; every other key has `rest`."""
    w = np.full((*lead, m), rest, dtype)  # (..., m)
    winner = n.rng.integers(0, m, (*lead, 1))  # (..., 1)
    np.put_along_axis(w, winner, 1 - rest * (m - 1), axis=-1)
    return w


def uniform(n, m, lead=(), dtype=np.float64):
    """Rows with equal weights."""
    return np.full((*lead, m), 1 / m, dtype)  # (..., m)


def softmax_of_scores(n, m, lead=(), spread=4.0, dtype=np.float64):
    """Rows with all their digits, as softmax of random scores gives them."""
    e = np.exp(n.array(*lead, m, spread=spread))  # (..., m)
    return (e / e.sum(axis=-1, keepdims=True)).astype(dtype)  # (..., m)
