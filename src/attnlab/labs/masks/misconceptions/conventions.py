"""Wrong versions of ``from_blocked``."""

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong


@wrong("from_blocked", "A4", section="conventions")
def passed_on_as_it_is(mask):
    """The mask is copied without being turned over."""
    return mask.copy()


@wrong("from_blocked", "A12", section="conventions")
def turned_over_in_place(mask):
    """The caller's own mask is turned over and returned."""
    return np.logical_not(mask, out=mask)


@wrong("from_blocked", "A13", section="conventions")
def bitwise_not_of_numbers(mask):
    """Bitwise not of the numbers 0 and 1 gives -1 and -2, both of which count as true."""
    return ~mask.astype(int)


@wrong("from_blocked", section="conventions")
def difference_from_one(mask):
    """1 minus the mask is right but holds numbers instead of booleans."""
    return 1 - mask.astype(int)


@wrong("from_blocked", "A9", section="conventions")
def blocked_as_bias(mask):
    """Returns numbers to add to the scores, 0 and -inf, instead of True and False."""
    return np.where(mask, -np.inf, 0.0)


@wrong("from_blocked", section="conventions")
def turned_over_and_transposed(mask):
    """Rows and columns change places while the mask is turned over."""
    return (~mask).T


@wrong("from_blocked", section="conventions")
def axis_for_queries_added(mask):
    """An axis for the queries is slipped in, so the shape is no longer that of the mask."""
    return ~mask[..., None, :]


@wrong("from_blocked", section="conventions")
def blocked_rows_opened(mask):
    """A row that is blocked from end to end is opened, so that no query is ever left without keys."""
    return ~mask | mask.all(axis=-1, keepdims=True)


@wrong("from_blocked", section="conventions")
def left_alone_when_nothing_is_blocked(mask):
    """A mask without any True is returned as it is, though nothing blocked means everything visible."""
    if not mask.any():
        return mask.copy()
    return ~mask
