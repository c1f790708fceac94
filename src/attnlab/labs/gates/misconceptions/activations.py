"""Wrong versions of ``sigmoid`` and ``silu``."""

import numpy as np

from attnlab.gates import sigmoid
from attnlab.labs.gates.misconceptions.registry import wrong


@wrong("sigmoid", "A92", section="activations")
def exponential_over_one_plus_exponential(x):
    """e^x / (1 + e^x) is inf / inf for large x, as when the branches of a stable form are swapped."""
    e = np.exp(x)
    return e / (1 + e)


@wrong("sigmoid", "A92", section="activations", variant_of="exponential_over_one_plus_exponential")
def one_branch_for_the_whole_array(x):
    """One sign is asked of the whole array, so mixed arrays take the form that overflows."""
    if np.all(x >= 0):
        return 1 / (1 + np.exp(-x))
    return np.exp(x) / (1 + np.exp(x))


@wrong("sigmoid", section="activations")
def sign_flipped(x):
    """The exponent lacks its minus sign, so the gate opens where it should shut."""
    return 1 / (1 + np.exp(x))


@wrong("sigmoid", section="activations")
def clipped_at_ten(x):
    """x is clipped to ±10, so the gate never comes nearer than 0.00005 to 0 or 1."""
    return 1 / (1 + np.exp(-np.clip(x, -10, 10)))


@wrong("sigmoid", section="activations")
def straight_line(x):
    """A straight line cut at 0 and 1 stands in for the curve."""
    return np.clip(x / 6 + 0.5, 0, 1)


@wrong("sigmoid", section="activations")
def hyperbolic_tangent(x):
    """tanh is used instead, which runs from -1 to 1."""
    return np.tanh(x)


@wrong("sigmoid", section="activations", variant_of="hyperbolic_tangent")
def tangent_without_half(x):
    """The tanh form takes x where x / 2 belongs, so the curve is too steep."""
    return 0.5 * (1 + np.tanh(x))


@wrong("sigmoid", "A88", section="activations")
def root_of_sigmoid(x):
    """The square root of the sigmoid is returned, 0.707 instead of 0.5 at zero."""
    return np.sqrt(1 / (1 + np.exp(-x)))


@wrong("sigmoid", "A12", section="activations")
def negated_in_place(x):
    """x is negated in place, so the caller's array is changed."""
    x *= -1
    return 1 / (1 + np.exp(x))


@wrong("silu", "A88", section="activations")
def silu_without_its_factor(x):
    """The sigmoid is returned without the factor x."""
    return sigmoid(x)


@wrong("silu", section="activations")
def silu_is_relu(x):
    """Negative numbers are cut to 0 and positive ones returned as they are."""
    return np.maximum(x, 0)


@wrong("silu", section="activations")
def silu_is_softplus(x):
    """log(1 + e^x) is returned, another smooth bend."""
    return np.logaddexp(0, x)


@wrong("silu", section="activations")
def silu_with_tangent(x):
    """x is multiplied by tanh(x), so negative numbers come out positive."""
    return x * np.tanh(x)


@wrong("silu", section="activations")
def silu_is_gelu(x):
    """The sigmoid takes 1.702 x, which approximates GELU."""
    return x * sigmoid(1.702 * x)


@wrong("silu", section="activations")
def silu_sign_flipped(x):
    """The sigmoid takes -x, so large numbers are held back instead of let through."""
    return x * sigmoid(-x)


@wrong("silu", "A92", section="activations")
def silu_overflows(x):
    """x e^x / (1 + e^x) is inf / inf for large x."""
    e = np.exp(x)
    return x * e / (1 + e)


@wrong("silu", "A12", section="activations")
def silu_in_place(x):
    """x is multiplied in place, so the caller's array is changed."""
    x *= sigmoid(x)
    return x


@wrong("silu", section="activations")
def silu_of_silu(x):
    """x is multiplied by the sigmoid twice."""
    return x * sigmoid(x) ** 2
