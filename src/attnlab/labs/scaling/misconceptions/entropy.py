"""Wrong versions of ``attention_entropy``."""

import numpy as np

from attnlab.labs.scaling.misconceptions.registry import wrong

_CACHE = {}


@wrong("attention_entropy", "A22", section="entropy")
def zero_times_minus_infinity(weights):
    """The logarithm of an exact zero is taken, and 0 * -inf is NaN."""
    logs = np.log(weights)
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", section="entropy")
def entropy_in_bits(weights):
    """The logarithm to base 2 is taken, so the entropy comes in bits."""
    logs = np.log2(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", section="entropy", variant_of="entropy_in_bits")
def entropy_to_base_ten(weights):
    """The logarithm to base 10 is taken."""
    logs = np.log10(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", section="entropy")
def entropy_below_zero(weights):
    """The minus sign is forgotten."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return (weights * logs).sum(axis=-1)


@wrong("attention_entropy", "A24", section="entropy")
def one_entropy_for_all_rows(weights):
    """The sum runs over the whole array, so all rows share one number."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum()


@wrong("attention_entropy", "A24", section="entropy", variant_of="one_entropy_for_all_rows")
def positive_weights_in_one_heap(weights):
    """The positive weights are picked out, which forgets the row each belongs to."""
    seen = weights[weights > 0]
    return -(seen * np.log(seen)).sum()


@wrong("attention_entropy", "A24", section="entropy")
def entropy_over_first_axis(weights):
    """The sum runs over the first axis instead of the last."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=0)


@wrong("attention_entropy", section="entropy")
def mean_in_place_of_sum(weights):
    """The mean over the keys is taken instead of the sum."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).mean(axis=-1)


@wrong("attention_entropy", section="entropy")
def entropy_as_share_of_the_largest(weights):
    """The entropy is divided by log n, the largest it can be."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1) / np.log(weights.shape[-1])


@wrong("attention_entropy", section="entropy")
def number_of_keys_in_use(weights):
    """The exponential of the entropy is returned."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return np.exp(-(weights * logs).sum(axis=-1))


@wrong("attention_entropy", section="entropy")
def logarithms_not_weighted(weights):
    """The logarithms are summed without being multiplied by the weights."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -logs.sum(axis=-1)


@wrong("attention_entropy", section="entropy")
def last_axis_kept(weights):
    """The axis of the keys stays in the result, with length 1."""
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1, keepdims=True)


@wrong("attention_entropy", "A31", section="entropy")
def softmax_of_the_weights(weights):
    """The weights are put through softmax once more."""
    e = np.exp(weights)
    weights = e / e.sum(axis=-1, keepdims=True)
    logs = np.log(np.where(weights > 0, weights, 1))
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", "A30", section="entropy")
def thousandth_in_the_logarithm(weights):
    """0.001 is added to every weight inside the logarithm."""
    logs = np.log(weights + 1e-3)
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", "A30", section="entropy", variant_of="thousandth_in_the_logarithm")
def millionth_in_the_logarithm(weights):
    """0.000001 is added to every weight inside the logarithm."""
    logs = np.log(weights + 1e-6)
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", section="entropy")
def squares_of_the_weights(weights):
    """1 minus the sum of the squared weights is returned, another measure of spread."""
    return 1 - (weights * weights).sum(axis=-1)


@wrong("attention_entropy", "A12", section="how-to-work")
def zeros_replaced_in_place(weights):
    """The zeros are replaced by ones in the caller's own array."""
    hidden = weights == 0
    weights[hidden] = 1
    logs = np.log(weights)
    return -(weights * logs).sum(axis=-1)


@wrong("attention_entropy", "A106", section="how-to-work", needs=("_CACHE = {}",))
def entropy_of_an_earlier_call(weights):
    """The result is remembered by shape, so other weights of the same shape get an old answer."""
    if weights.shape not in _CACHE:
        logs = np.log(np.where(weights > 0, weights, 1))
        _CACHE[weights.shape] = -(weights * logs).sum(axis=-1)
    return _CACHE[weights.shape]
