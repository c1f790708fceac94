"""Wrong versions of ``sigmoid``."""

import math

import numpy as np

from attnlab.labs.attention.misconceptions.registry import wrong


@wrong("sigmoid", "A92", section="sigmoid")
def exponential_over_one_plus_exponential(x):
    """e^x / (1 + e^x) is inf / inf for large x, as when the branches of a stable form are swapped."""
    e = np.exp(x)
    return e / (1 + e)


@wrong("sigmoid", "A92", section="sigmoid", variant_of="exponential_over_one_plus_exponential")
def one_branch_for_the_whole_array(x):
    """One sign is asked of the whole array, so mixed arrays take the form that overflows."""
    if np.all(x >= 0):
        return 1 / (1 + np.exp(-x))
    return np.exp(x) / (1 + np.exp(x))


@wrong("sigmoid", section="sigmoid")
def sign_flipped(x):
    """The exponent lacks its minus sign, so the gate opens where it should shut."""
    return 1 / (1 + np.exp(x))


@wrong("sigmoid", section="sigmoid")
def clipped_at_ten(x):
    """x is clipped to ±10, so the gate never comes nearer than 0.00005 to 0 or 1."""
    return 1 / (1 + np.exp(-np.clip(x, -10, 10)))


@wrong("sigmoid", section="sigmoid")
def straight_line(x):
    """A straight line cut at 0 and 1 stands in for the curve."""
    return np.clip(x / 6 + 0.5, 0, 1)


@wrong("sigmoid", section="sigmoid")
def hyperbolic_tangent(x):
    """tanh is used instead, which runs from -1 to 1."""
    return np.tanh(x)


@wrong("sigmoid", section="sigmoid", variant_of="hyperbolic_tangent")
def tangent_without_half(x):
    """The tanh form takes x where x / 2 belongs, so the curve is too steep."""
    return 0.5 * (1 + np.tanh(x))


@wrong("sigmoid", "A92", section="sigmoid")
def one_number_at_a_time(x):
    """math.exp takes one number, so arrays raise an error."""
    return 1 / (1 + math.exp(-x))


@wrong("sigmoid", "A12", section="sigmoid")
def negated_in_place(x):
    """x is negated in place, so the caller's array is changed."""
    x *= -1
    return 1 / (1 + np.exp(x))
