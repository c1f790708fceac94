"""Wrong versions of ``softmax``."""

import math

import numpy as np

from attnlab.labs.attention.misconceptions.registry import wrong

_CACHE = {}
_BUFFERS = {}


@wrong("softmax", "A26", section="softmax")
def no_max_subtraction(x):
    """exp is taken of the raw scores, so large ones overflow and very negative rows give 0 / 0."""
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A26", "B28", section="softmax", variant_of="no_max_subtraction")
def more_digits_instead_of_shift(x):
    """The scores are converted to float64 instead of being shifted, which only moves the overflow to 710."""
    e = np.exp(np.asarray(x, dtype=np.float64))
    return e / np.sum(e, axis=-1, keepdims=True)


@wrong("softmax", "A24", section="softmax", variant_of="over_axis_before_last")
def over_first_axis(x):
    """Normalises over axis 0, so columns sum to 1 instead of rows."""
    e = np.exp(x - x.max(axis=0, keepdims=True))
    return e / e.sum(axis=0, keepdims=True)


@wrong("softmax", "A24", section="softmax", variant_of="over_axis_before_last")
def over_axis_one(x):
    """Normalises over axis 1, which is the last axis of a matrix only."""
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


@wrong("softmax", "A24", "A53", section="softmax")
def over_axis_before_last(x):
    """Normalises over axis -2, so columns sum to 1 instead of rows."""
    e = np.exp(x - x.max(axis=-2, keepdims=True))
    return e / e.sum(axis=-2, keepdims=True)


@wrong("softmax", "A24", section="softmax")
def over_all_entries(x):
    """The sum runs over the whole array, so all entries together sum to 1."""
    e = np.exp(x - np.max(x))
    return e / np.sum(e)


@wrong("softmax", "C9", section="softmax")
def one_maximum_for_all_rows(x):
    """The maximum of the whole array is subtracted, so rows far below it become 0 / 0."""
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "C10", section="softmax")
def constant_shift(x):
    """A constant is subtracted instead of each row's maximum."""
    e = np.exp(x - 100)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def mean_subtracted(x):
    """Each row's mean is subtracted instead of its maximum, so exp can still overflow."""
    e = np.exp(x - x.mean(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax", variant_of="mean_subtracted")
def minimum_subtracted(x):
    """Each row's minimum is subtracted instead of its maximum, so exp overflows."""
    e = np.exp(x - x.min(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def largest_magnitude_subtracted(x):
    """The largest absolute value is subtracted, so a row of very negative scores underflows."""
    e = np.exp(x - np.abs(x).max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A28", section="softmax", variant_of="largest_magnitude_subtracted")
def shift_never_negative(x):
    """The subtracted maximum is never below 0, so a row of very negative scores gives 0 / 0."""
    e = np.exp(x - np.maximum(x.max(axis=-1, keepdims=True), 0))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def divided_by_maximum(x):
    """The scores are divided by their maximum instead of being shifted by it."""
    e = np.exp(x / x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def clipped_at_fifty(x):
    """The scores are clipped to ±50 against overflow, so everything above 50 ties and -inf keeps some weight."""
    e = np.exp(np.clip(x, -50, 50))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax", variant_of="clipped_at_fifty")
def clipped_at_seven_hundred(x):
    """The scores are clipped to ±700 against overflow, so everything above 700 ties."""
    e = np.exp(np.clip(x.astype(np.float64), -700, 700))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A21", section="softmax")
def minus_infinity_made_finite(x):
    """-inf is replaced by -10000, which is not below every legal score."""
    x = np.maximum(x, -10_000)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A7", section="softmax")
def minus_infinity_made_zero(x):
    """-inf is cleaned away to 0, so hidden entries get weight exp(0)."""
    x = np.where(np.isinf(x), 0, x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A29", section="softmax")
def sum_without_keepdims(x):
    """keepdims is forgotten in the sum, so rows are divided by each other's sums or shapes do not fit."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1)


@wrong("softmax", "A29", section="softmax", variant_of="sum_without_keepdims")
def maximum_without_keepdims(x):
    """keepdims is forgotten in the maximum, so rows are shifted by each other's maxima or shapes do not fit."""
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A30", section="softmax")
def thousandth_in_denominator(x):
    """0.001 is added to the denominator, so rows sum to less than 1."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-3)


@wrong("softmax", "A30", section="softmax", variant_of="thousandth_in_denominator")
def hundred_thousandth_in_denominator(x):
    """0.00001 is added to the denominator, so rows sum to a little less than 1."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-5)


@wrong("softmax", "A31", section="softmax")
def applied_twice(x):
    """The normalisation is applied twice, which flattens the weights and gives hidden entries some again."""
    weights = x
    for _ in range(2):
        e = np.exp(weights - weights.max(axis=-1, keepdims=True))
        weights = e / e.sum(axis=-1, keepdims=True)
    return weights


@wrong("softmax", "A12", section="softmax")
def changes_its_input(x):
    """The maximum is subtracted in place, so the caller's scores are changed."""
    x -= x.max(axis=-1, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A23", section="how-to-work")
def half_precision(x):
    """The work is done in float16, which keeps three digits and overflows beyond 65504."""
    x = x.astype(np.float16)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return (e / e.sum(axis=-1, keepdims=True)).astype(np.float64)


@wrong("softmax", "A72", section="how-to-work", variant_of="half_precision")
def single_precision(x):
    """float64 scores are rounded to float32 before the maximum is subtracted, which large scores do not survive."""
    x = x.astype(np.float32)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", "A120", section="softmax")
def truncated_to_integers(x):
    """The weights are written into an integer array, which cuts them to 0 or 1."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    weights = np.zeros(x.shape, dtype=int)
    weights[...] = e / e.sum(axis=-1, keepdims=True)
    return weights


@wrong("softmax", section="softmax")
def rounded_to_four_digits(x):
    """The weights are rounded to four decimals."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.round(e / e.sum(axis=-1, keepdims=True), 4)


@wrong("softmax", section="softmax")
def base_two(x):
    """Powers of two are taken instead of powers of e, so the weights are too flat."""
    e = np.exp2(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def no_exponential(x):
    """The scores, shifted to be positive, are divided by their sum; no exponential is taken."""
    shifted = x - x.min(axis=-1, keepdims=True)
    return shifted / shifted.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def logarithm_returned(x):
    """Returns the logarithm of the weights."""
    shifted = x - x.max(axis=-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


@wrong("softmax", section="softmax")
def not_normalised(x):
    """The exponentials are never divided by their sum."""
    return np.exp(x - x.max(axis=-1, keepdims=True))


@wrong("softmax", section="softmax")
def sigmoid_of_each_entry(x):
    """Each score is squashed by itself, so rows do not sum to 1."""
    return 0.5 * (1 + np.tanh(x / 2))


@wrong("softmax", section="softmax")
def zeros_left_out(x):
    """A score of exactly 0 is taken for a hidden position and gets no weight."""
    e = np.where(x == 0, 0, np.exp(x - x.max(axis=-1, keepdims=True)))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax")
def loops_over_first_axis_only(x):
    """Whatever lies along the first axis is normalised as one row, which is right for matrices only."""
    weights = np.empty_like(x)
    for i, row in enumerate(x):
        e = np.exp(row - row.max())
        weights[i] = e / e.sum()
    return weights


@wrong("softmax", section="softmax")
def leading_axes_flattened(x):
    """Leading axes are merged into one and never restored."""
    rows = x.reshape(-1, x.shape[-1])
    e = np.exp(rows - rows.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("softmax", section="softmax", variant_of="leading_axes_flattened")
def unit_axes_squeezed(x):
    """Axes of length 1 are dropped from the result."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.squeeze(e / e.sum(axis=-1, keepdims=True))


@wrong("softmax", section="softmax")
def element_by_element(x):
    """math.exp takes one number, so arrays raise an error."""
    e = math.exp(x - max(x))
    return e / sum(e)


@wrong("softmax", "A106", needs=("_CACHE = {}",), section="how-to-work")
def remembered_by_shape(x):
    """The result is remembered by shape, so other scores of the same shape get an old answer."""
    if x.shape not in _CACHE:
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        _CACHE[x.shape] = e / e.sum(axis=-1, keepdims=True)
    return _CACHE[x.shape]


@wrong("softmax", "A12", needs=("_BUFFERS = {}",), section="how-to-work", variant_of="remembered_by_shape")
def result_buffer_reused(x):
    """Every call writes into the same array, so an earlier result changes under the caller's hands."""
    e = _BUFFERS.setdefault((x.shape, x.dtype), np.empty(x.shape, x.dtype))
    np.exp(x - x.max(axis=-1, keepdims=True), out=e)
    e /= e.sum(axis=-1, keepdims=True)
    return e
