"""Wrong versions of ``log_n_scale``."""

import math

import numpy as np

from attnlab.labs.scaling.misconceptions.registry import wrong

_CACHE = {}


@wrong("log_n_scale", section="log-n")
def never_below_one(n, n_train):
    """The factor is clamped, so that it never falls below 1."""
    return np.maximum(1, np.log(n) / np.log(n_train))


@wrong("log_n_scale", section="log-n")
def never_above_one(n, n_train):
    """The factor is clamped, so that it never rises above 1."""
    return np.minimum(1, np.log(n) / np.log(n_train))


@wrong("log_n_scale", "A43", section="log-n")
def always_one(n, n_train):
    """The factor is 1 whatever the length."""
    return np.ones_like(n, dtype=float)


@wrong("log_n_scale", section="log-n")
def ratio_of_the_lengths(n, n_train):
    """The lengths themselves are divided, not their logarithms."""
    return n / n_train


@wrong("log_n_scale", section="log-n")
def logarithm_of_the_ratio(n, n_train):
    """The logarithm of the ratio is taken instead of the ratio of the logarithms."""
    return np.log(n / n_train)


@wrong("log_n_scale", section="log-n")
def ratio_turned_over(n, n_train):
    """The logarithms are divided the other way round."""
    return np.log(n_train) / np.log(n)


@wrong("log_n_scale", section="log-n")
def not_held_against_the_training(n, n_train):
    """log n is returned without being divided by log n_train."""
    return np.log(n)


@wrong("log_n_scale", section="log-n")
def root_of_the_ratio(n, n_train):
    """The root of the ratio of the logarithms is returned."""
    return np.sqrt(np.log(n) / np.log(n_train))


@wrong("log_n_scale", section="log-n")
def positions_counted_from_zero(n, n_train):
    """1 is added to n, as if positions were counted from 0."""
    return np.log(n + 1) / np.log(n_train)


@wrong("log_n_scale", section="log-n", variant_of="positions_counted_from_zero")
def one_added_to_both(n, n_train):
    """1 is added to n and to n_train."""
    return np.log1p(n) / np.log1p(n_train)


@wrong("log_n_scale", section="log-n")
def two_different_bases(n, n_train):
    """The two logarithms have different bases."""
    return np.log2(n) / np.log(n_train)


@wrong("log_n_scale", "A41", section="log-n")
def whole_length_for_every_position(n, n_train):
    """Every position gets the factor of the last one."""
    return np.log(np.max(n)) / np.log(n_train) * np.ones_like(n, dtype=float)


@wrong("log_n_scale", "A42", section="log-n")
def positions_of_the_first_sequence(n, n_train):
    """Every sequence of a batch gets the factors of the first one."""
    n = np.asarray(n)
    first = n.reshape(-1, *n.shape[-1:])[:1].reshape(n.shape[-1:])
    return np.broadcast_to(np.log(first) / np.log(n_train), n.shape).copy()


@wrong("log_n_scale", section="log-n")
def numbers_only(n, n_train):
    """math.log takes one number, so arrays of positions raise an error."""
    return math.log(n) / math.log(n_train)


@wrong("log_n_scale", section="log-n")
def arrays_only(n, n_train):
    """The positions are taken for an array, so a plain number raises an error."""
    scale = np.empty(n.shape)
    scale[...] = np.log(n) / np.log(n_train)
    return scale


@wrong("log_n_scale", "A120", section="log-n")
def factor_in_whole_numbers(n, n_train):
    """The factor is cut to a whole number."""
    return np.floor(np.log(n) / np.log(n_train))


@wrong("log_n_scale", "A106", section="how-to-work", needs=("_CACHE = {}",))
def length_of_the_first_training(n, n_train):
    """log n_train is remembered from the first call."""
    return np.log(n) / _CACHE.setdefault("log n_train", np.log(n_train))


@wrong("log_n_scale", "A12", section="how-to-work")
def positions_changed_in_place(n, n_train):
    """The logarithm is written into the caller's own array, where integers cut it."""
    return np.log(n, out=n if isinstance(n, np.ndarray) else None, casting="unsafe") / np.log(n_train)
