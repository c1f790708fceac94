"""Wrong versions of ``safe_softmax``."""

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong

_BUFFERS = {}


@wrong("safe_softmax", "A19", section="safe-softmax")
def ordinary_softmax(x):
    """An empty row is shifted by -inf, which gives NaN."""
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / total


@wrong("safe_softmax", "A19", section="safe-softmax", variant_of="ordinary_softmax")
def zero_divided_by_zero(x):
    """The shift is mended but not the division: an empty row is 0 / 0."""
    top = x.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / total


@wrong("safe_softmax", "A20", section="safe-softmax")
def hidden_made_finite(x):
    """-inf becomes a large finite number, so an empty row is shared out evenly."""
    x = np.maximum(x, np.finfo(x.dtype).min)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("safe_softmax", "A20", section="safe-softmax", variant_of="hidden_made_finite")
def empty_row_uniform(x):
    """An empty row gets equal weights on purpose, so that it sums to 1."""
    top = x.max(axis=-1, keepdims=True)
    x = np.where(np.isneginf(top), 0, x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("safe_softmax", "A21", section="safe-softmax", variant_of="hidden_made_finite")
def hidden_made_minus_billion(x):
    """-inf becomes -1e9, which is not below every legal score, and an empty row is shared out evenly."""
    x = np.maximum(x, -1e9)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("safe_softmax", "A21", section="safe-softmax", variant_of="hidden_made_finite")
def hidden_made_minus_ten_thousand(x):
    """-inf becomes -10000, which is not below every legal score, and an empty row is shared out evenly."""
    x = np.maximum(x, -1e4)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@wrong("safe_softmax", section="safe-softmax")
def empty_row_sees_first_key(x):
    """An empty row puts all its weight on the first key, so that it sums to 1."""
    top = x.max(axis=-1, keepdims=True)
    blind = np.isneginf(top)
    top = np.where(blind, 0, top)
    e = np.exp(x - top)
    e[..., :1] = np.where(blind, 1, e[..., :1])
    return e / e.sum(axis=-1, keepdims=True)


@wrong("safe_softmax", section="safe-softmax")
def one_empty_row_empties_all(x):
    """As soon as one row is empty, all weights are zero."""
    top = x.max(axis=-1, keepdims=True)
    if np.isneginf(top).any():
        return np.zeros_like(x)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / total


@wrong("safe_softmax", section="safe-softmax")
def all_rows_must_be_empty(x):
    """Zeros are returned only when the whole array is empty; a single empty row gives NaN."""
    top = x.max(axis=-1, keepdims=True)
    if np.isneginf(top).all():
        return np.zeros_like(x)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / total


@wrong("safe_softmax", section="safe-softmax")
def hidden_first_key_means_empty(x):
    """A row counts as empty when its first key is hidden."""
    top = x.max(axis=-1, keepdims=True)
    blind = np.isneginf(x[..., :1])
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return np.where(blind, 0, e / np.where(total == 0, 1, total))


@wrong("safe_softmax", section="safe-softmax", variant_of="hidden_first_key_means_empty")
def any_hidden_key_means_empty(x):
    """A row counts as empty as soon as one of its keys is hidden."""
    top = x.max(axis=-1, keepdims=True)
    blind = np.isneginf(x).any(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return np.where(blind, 0, e / np.where(total == 0, 1, total))


@wrong("safe_softmax", section="safe-softmax", variant_of="shift_never_below_zero")
def low_scores_mean_empty(x):
    """A row counts as empty when all its scores are below -5000."""
    top = x.max(axis=-1, keepdims=True)
    top = np.where(top < -5000, 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A26", section="safe-softmax")
def no_shift(x):
    """exp is taken of the raw scores: large ones overflow, and very negative rows vanish."""
    e = np.exp(x)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A26", section="safe-softmax", variant_of="no_shift")
def failures_made_zero(x):
    """exp is taken of the raw scores, and whatever becomes NaN on the way is replaced by 0."""
    e = np.exp(x)
    total = e.sum(axis=-1, keepdims=True)
    return np.nan_to_num(e / total)


@wrong("safe_softmax", "A28", section="safe-softmax")
def shift_never_below_zero(x):
    """The shift is at least 0, so a row of very negative scores vanishes."""
    top = x.max(axis=-1, keepdims=True)
    top = np.maximum(top, 0)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "C9", section="safe-softmax")
def one_shift_for_all_rows(x):
    """The maximum of the whole array is subtracted, so rows far below it vanish."""
    top = x.max()
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A24", section="safe-softmax")
def over_columns(x):
    """Maximum and sum run over the last axis but one, so columns sum to 1 instead of rows."""
    top = x.max(axis=-2, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-2, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A24", section="safe-softmax", variant_of="over_columns")
def over_the_first_axis(x):
    """Maximum and sum run over axis 0."""
    top = x.max(axis=0, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=0, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A29", section="safe-softmax")
def axis_of_the_sum_lost(x):
    """keepdims is forgotten in the sum."""
    top = x.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A30", section="safe-softmax")
def small_number_in_denominator(x):
    """0.0001 is added to the sum against division by 0, so rows sum to less than 1."""
    top = x.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / (total + 1e-4)


@wrong("safe_softmax", "A32", section="safe-softmax")
def one_more_in_denominator(x):
    """1 is added to the sum, so an empty row is 0 / 1 but all other rows sum to less than 1."""
    top = x.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / (total + 1)


@wrong("safe_softmax", section="safe-softmax")
def not_normalised(x):
    """The exponentials are returned without being divided by their sum."""
    top = x.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    return np.exp(x - top)


@wrong("safe_softmax", "A7", section="safe-softmax")
def hidden_cleaned_to_zero(x):
    """-inf is cleaned away to 0, so hidden keys get weight exp(0)."""
    top = x.max(axis=-1, keepdims=True)
    x = np.where(np.isneginf(top), x, np.where(np.isneginf(x), 0, x))
    top = x.max(axis=-1, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A12", section="how-to-work")
def shifted_in_place(x):
    """The caller's scores are shifted in place."""
    top = x.max(axis=-1, keepdims=True)
    x -= np.where(np.isneginf(top), 0, top)
    e = np.exp(x)
    total = e.sum(axis=-1, keepdims=True)
    return e / np.where(total == 0, 1, total)


@wrong("safe_softmax", "A106", section="how-to-work", needs=("_BUFFERS = {}",))
def one_buffer_for_all_calls(x):
    """Weights are written into one buffer for each shape, so a later call overwrites an earlier result."""
    weights = _BUFFERS.setdefault(x.shape, np.zeros(x.shape))
    top = x.max(axis=-1, keepdims=True)
    e = np.exp(x - np.where(np.isneginf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    return np.divide(e, np.where(total == 0, 1, total), out=weights)
