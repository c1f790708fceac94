"""Wrong versions of ``sliding_window_mask``."""

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong

_FIRST = {}


@wrong("sliding_window_mask", "A108", section="window")
def window_beside_oneself(T, window, sinks=0):
    """The window counts the positions before the token, so with the token itself one too many is seen."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j <= window) | (j < sinks))


@wrong("sliding_window_mask", "A108", section="window")
def window_one_too_short(T, window, sinks=0):
    """The window holds one position less than it should."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window - 1) | (j < sinks))


@wrong("sliding_window_mask", "A1", section="window")
def token_outside_its_window(T, window, sinks=0):
    """The token itself is left out of its window."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j < i) & ((i - j < window) | (j < sinks))


@wrong("sliding_window_mask", section="window")
def window_to_both_sides(T, window, sinks=0):
    """The window reaches as far ahead as back."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (abs(i - j) < window) | (j <= i) & (j < sinks)


@wrong("sliding_window_mask", "A17", section="window")
def future_not_hidden(T, window, sinks=0):
    """Only the far past is hidden: everything ahead of the token is visible."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (i - j < window) | (j < sinks)


@wrong("sliding_window_mask", section="window", variant_of="window_to_both_sides")
def window_around_the_token(T, window, sinks=0):
    """The window is centred on the token, half of it behind and half ahead."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (abs(i - j) <= window // 2) | (j <= i) & (j < sinks)


@wrong("sliding_window_mask", "A3", section="window")
def window_ahead(T, window, sinks=0):
    """The window lies in front of the token instead of behind it."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j >= i) & (j - i < window) | (j <= i) & (j < sinks)


@wrong("sliding_window_mask", "A3", section="window", variant_of="window_ahead")
def window_transposed(T, window, sinks=0):
    """Rows and columns have changed places."""
    i, j = np.arange(T), np.arange(T)[:, None]
    return (j <= i) & ((i - j < window) | (j < sinks))


@wrong("sliding_window_mask", section="window")
def only_causal(T, window, sinks=0):
    """The window is ignored: everything up to the token is visible."""
    return np.tri(T, dtype=bool)


@wrong("sliding_window_mask", section="window")
def blocks_side_by_side(T, window, sinks=0):
    """The text is cut into blocks of the window's length, and nobody sees beyond its own block."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i // window == j // window) | (j < sinks))


@wrong("sliding_window_mask", "A4", section="window")
def window_hidden(T, window, sinks=0):
    """True marks what lies outside the window."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return ~((j <= i) & ((i - j < window) | (j < sinks)))


@wrong("sliding_window_mask", section="window")
def sinks_left_out(T, window, sinks=0):
    """The sinks are ignored."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & (i - j < window)


@wrong("sliding_window_mask", "A2", section="window")
def sinks_seen_from_before(T, window, sinks=0):
    """The sinks are visible to everybody, also to tokens that stand before them."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & (i - j < window) | (j < sinks)


@wrong("sliding_window_mask", section="window")
def one_sink_too_many(T, window, sinks=0):
    """The position behind the sinks counts as a sink too, and with no sinks at all position 0 does."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window) | (j <= sinks))


@wrong("sliding_window_mask", section="window", variant_of="one_sink_too_many")
def always_a_sink(T, window, sinks=0):
    """There is always at least one sink, also where none is asked for."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window) | (j < max(sinks, 1)))


@wrong("sliding_window_mask", section="window")
def one_sink_too_few(T, window, sinks=0):
    """The last of the sinks is not counted."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window) | (j < sinks - 1))


@wrong("sliding_window_mask", section="window", variant_of="one_sink_too_few")
def first_sink_only(T, window, sinks=0):
    """However many sinks there are, only position 0 is one."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window) | (j < min(sinks, 1)))


@wrong("sliding_window_mask", section="window")
def sinks_taken_from_the_window(T, window, sinks=0):
    """The sinks are paid for by the window, which is shortened by their number."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < max(window - sinks, 1)) | (j < sinks))


@wrong("sliding_window_mask", section="window")
def window_lengthened_by_sinks(T, window, sinks=0):
    """The sinks are added to the window, which reaches further back, instead of standing at the start."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & (i - j < window + sinks)


@wrong("sliding_window_mask", section="window")
def sinks_at_the_end(T, window, sinks=0):
    """The last positions of the text are taken for the sinks."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window) | (j >= T - sinks))


@wrong("sliding_window_mask", section="window")
def window_of_numbers(T, window, sinks=0):
    """The mask is right but made of the numbers 0 and 1."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return ((j <= i) & ((i - j < window) | (j < sinks))).astype(int)


@wrong("sliding_window_mask", section="window")
def long_window_sees_ahead(T, window, sinks=0):
    """A window as long as the text is taken for no mask at all, so the future becomes visible."""
    if window >= T:
        return np.ones((T, T), dtype=bool)
    i, j = np.arange(T)[:, None], np.arange(T)
    return (j <= i) & ((i - j < window) | (j < sinks))


@wrong("sliding_window_mask", section="window", variant_of="rows_before_the_window_forgotten")
def first_rows_left_empty(T, window, sinks=0):
    """The rows before the first full window are left empty."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return (i >= window) & (j <= i) & ((i - j < window) | (j < sinks))


@wrong("sliding_window_mask", section="window")
def rows_before_the_window_forgotten(T, window, sinks=0):
    """Rows are filled only from the first full window on."""
    mask = np.zeros((T, T), dtype=bool)
    for i in range(window - 1, T):
        mask[i, i - window + 1 : i + 1] = True
        mask[i, :sinks] = True
    return mask & np.tri(T, dtype=bool)


@wrong("sliding_window_mask", section="window", variant_of="rows_before_the_window_forgotten")
def negative_start(T, window, sinks=0):
    """In the first rows the start of the window is negative, which a slice counts from the end."""
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T):
        mask[i, i - window + 1 : i + 1] = True
        mask[i, : min(sinks, i + 1)] = True
    return mask


@wrong("sliding_window_mask", "A106", section="how-to-work", needs=("_FIRST = {}",))
def first_window_kept(T, window, sinks=0):
    """The mask of the first call is kept and returned for every other window."""
    i, j = np.arange(T)[:, None], np.arange(T)
    return _FIRST.setdefault("mask", (j <= i) & ((i - j < window) | (j < sinks)))
