"""Wrong versions of ``merge_heads``."""

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong


@wrong("merge_heads", "A45", section="reshape")
def merge_without_transpose(x):
    """The array is reshaped straight to (..., T, H * D), so a token gets the numbers of one head for several tokens."""
    *lead, H, T, D = x.shape
    return x.reshape(*lead, T, H * D)


@wrong("merge_heads", section="merge")
def merged_in_turn(x):
    """Columns are taken from the heads in turn: first the first of each head, then the second of each."""
    *lead, H, T, D = x.shape
    x = np.moveaxis(x, -3, -1)
    return x.reshape(*lead, T, H * D)


@wrong("merge_heads", "A53", section="merge")
def merge_axes_counted_from_front(x):
    """Axes 0 and 1 are swapped, which are heads and tokens only without a batch."""
    *lead, H, T, D = x.shape
    x = np.swapaxes(x, 0, 1)
    return x.reshape(*lead, T, H * D)


@wrong("merge_heads", "A53", section="merge", variant_of="merge_axes_counted_from_front")
def merge_axes_one_and_two(x):
    """Axes 1 and 2 are swapped, which are heads and tokens only with exactly one batch axis."""
    *lead, H, T, D = x.shape
    x = np.swapaxes(x, 1, 2)
    return x.reshape(*lead, T, H * D)


@wrong("merge_heads", "A46", section="merge")
def heads_taken_for_first_axis(x):
    """The first axis is taken for the heads, so the sequences of a batch are mixed."""
    *lead, H, T, D = x.shape
    x = np.moveaxis(x.reshape(H, *lead, T, D), 0, -2)
    return x.reshape(*lead, T, H * D)


@wrong("merge_heads", "A46", section="merge")
def first_axis_concatenated(x):
    """The entries of the first axis are put side by side, which are the heads only without a batch."""
    return np.concatenate(list(x), axis=-1)


@wrong("merge_heads", section="merge")
def wrong_pair_of_axes_swapped(x):
    """The last two axes are swapped, tokens and columns, instead of heads and tokens."""
    *lead, H, T, D = x.shape
    x = np.swapaxes(x, -1, -2)
    return x.reshape(*lead, T, H * D)


@wrong("merge_heads", section="merge")
def heads_added_up(x):
    """The heads are added up instead of being put side by side."""
    return x.sum(axis=-3)


@wrong("merge_heads", section="merge", variant_of="heads_added_up")
def heads_averaged(x):
    """The heads are averaged instead of being put side by side."""
    return x.mean(axis=-3)


@wrong("merge_heads", section="merge")
def heads_one_below_another(x):
    """The heads are put one below another, as if they were more tokens."""
    *lead, H, T, D = x.shape
    return x.reshape(*lead, H * T, D)


@wrong("merge_heads", section="merge", variant_of="wrong_pair_of_axes_swapped")
def heads_in_reverse(x):
    """All axes are reversed first, which puts tokens and columns in a wrong order."""
    *lead, H, T, D = x.shape
    return x.T.reshape(*lead, T, H * D)


@wrong("merge_heads", section="merge")
def merged_batch_run_together(x):
    """All leading axes are merged into one and never restored."""
    H, T, D = x.shape[-3:]
    x = np.swapaxes(x, -2, -3)
    return x.reshape(-1, T, H * D)


@wrong("merge_heads", section="merge")
def merge_expects_one_batch_axis(x):
    """The shape is unpacked into exactly four sizes, so other numbers of axes raise an error."""
    B, H, T, D = x.shape
    x = np.swapaxes(x, -2, -3)
    return x.reshape(B, T, H * D)


@wrong("merge_heads", "A12", section="how-to-work")
def merged_in_place(x):
    """The merged numbers are written back into the caller's array."""
    *lead, H, T, D = x.shape
    merged = np.swapaxes(x, -2, -3).reshape(*lead, T, H * D)
    x[...] = merged.reshape(x.shape)
    return merged
