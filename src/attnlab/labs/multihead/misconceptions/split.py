"""Wrong versions of ``split_heads``."""

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong

_HEADS = {}


@wrong("split_heads", "A44", "A54", section="reshape")
def split_without_transpose(x, n_heads):
    """The array is reshaped straight to (..., H, T, D), so each head gets a stretch of tokens instead of columns."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    return x.reshape(*lead, n_heads, T, d_model // n_heads)


@wrong("split_heads", section="split")
def columns_dealt_in_turn(x, n_heads):
    """Columns go to the heads in turn, as cards are dealt: head h gets columns h, h + H, h + 2H and so on."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(*lead, T, d_model // n_heads, n_heads)
    return np.moveaxis(x, -1, -3)


@wrong("split_heads", section="split")
def head_axis_left_behind_tokens(x, n_heads):
    """The heads have an axis, but it stands behind the tokens: (..., T, H, D)."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    return x.reshape(*lead, T, n_heads, d_model // n_heads)


@wrong("split_heads", "A85", section="split")
def heads_and_width_confused(x, n_heads):
    """n_heads is taken for the width of a head, so there are D heads of width H."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(*lead, T, d_model // n_heads, n_heads)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", "A53", section="split")
def split_axes_counted_from_front(x, n_heads):
    """Axes 0 and 1 are swapped, which are tokens and heads only without a batch."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(*lead, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, 0, 1)


@wrong("split_heads", "A53", section="split", variant_of="split_axes_counted_from_front")
def split_axes_one_and_two(x, n_heads):
    """Axes 1 and 2 are swapped, which are tokens and heads only with exactly one batch axis."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(*lead, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, 1, 2)


@wrong("split_heads", "A46", section="split")
def head_axis_before_batch(x, n_heads):
    """The pieces are stacked along a new first axis, so the heads stand before the batch."""
    return np.stack(np.split(x, n_heads, axis=-1))


@wrong("split_heads", "A47", section="split")
def split_with_all_axes_reversed(x, n_heads):
    """.T after the reshape reverses all axes instead of swapping two."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(*lead, T, n_heads, d_model // n_heads)
    return x.T


@wrong("split_heads", section="split")
def one_batch_axis_expected(x, n_heads):
    """The shape is unpacked into exactly three sizes, so other numbers of axes raise an error."""
    B, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(B, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", section="split")
def batch_axes_run_together(x, n_heads):
    """All leading axes are merged into one and never restored."""
    T, d_model = x.shape[-2:]
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x = x.reshape(-1, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", section="split")
def tokens_shared_out(x, n_heads):
    """The tokens are shared out among the heads instead of the columns."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    return x.reshape(*lead, n_heads, T // n_heads, d_model)


@wrong("split_heads", section="divisible")
def remaining_columns_dropped(x, n_heads):
    """A width that the heads cannot share out evenly is cut to one that they can."""
    *lead, T, d_model = x.shape
    D = d_model // n_heads
    x = x[..., : n_heads * D].reshape(*lead, T, n_heads, D)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", section="divisible", variant_of="remaining_columns_dropped")
def missing_columns_padded(x, n_heads):
    """A width that the heads cannot share out evenly is padded with zeros."""
    *lead, T, d_model = x.shape
    D = -(-d_model // n_heads)
    padded = np.zeros((*lead, T, n_heads * D), x.dtype)
    padded[..., :d_model] = x
    return np.swapaxes(padded.reshape(*lead, T, n_heads, D), -2, -3)


@wrong("split_heads", section="divisible")
def complaint_of_another_kind(x, n_heads):
    """An assert guards the width, and that raises AssertionError instead of ValueError."""
    *lead, T, d_model = x.shape
    assert d_model % n_heads == 0
    x = x.reshape(*lead, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", section="divisible", variant_of="remaining_columns_dropped")
def complaint_swallowed(x, n_heads):
    """Where the width cannot be shared out, the array is returned as it is."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        return x
    x = x.reshape(*lead, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", "A12", section="how-to-work")
def reshaped_in_place(x, n_heads):
    """The caller's array gets another shape, because x.shape is assigned to."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    x.shape = (*lead, T, n_heads, d_model // n_heads)
    return np.swapaxes(x, -2, -3)


@wrong("split_heads", "A106", needs=("_HEADS = {}",), section="how-to-work")
def heads_remembered_by_shape(x, n_heads):
    """The result is remembered by shape, so other numbers of the same shape get an old answer."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        raise ValueError("d_model is not divisible by n_heads")
    if x.shape not in _HEADS:
        _HEADS[x.shape] = np.swapaxes(x.reshape(*lead, T, n_heads, d_model // n_heads), -2, -3)
    return _HEADS[x.shape]
