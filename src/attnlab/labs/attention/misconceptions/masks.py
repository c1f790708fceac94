"""Wrong versions of ``causal_mask``."""

import numpy as np

from attnlab.labs.attention.misconceptions.registry import wrong

_MASK = None


@wrong("causal_mask", "A1", section="causal-mask")
def diagonal_excluded(T):
    """A token may look at everything before it but not at itself."""
    return np.tri(T, k=-1, dtype=bool)


@wrong("causal_mask", "A2", section="causal-mask")
def one_future_token(T):
    """The diagonal is one step too far: each token also sees the next one."""
    return np.tri(T, k=1, dtype=bool)


@wrong("causal_mask", "A3", section="causal-mask")
def triangle_transposed(T):
    """The upper triangle is visible: each token sees itself and the future, not the past."""
    return np.triu(np.ones((T, T), dtype=bool))


@wrong("causal_mask", "A4", section="causal-mask")
def true_means_hidden(T):
    """True marks the positions to hide, as in nn.MultiheadAttention, where the course wants True for visible."""
    return ~np.tri(T, dtype=bool)


@wrong("causal_mask", "A17", section="causal-mask")
def everything_visible(T):
    """Every token may look at every other."""
    return np.ones((T, T), dtype=bool)


@wrong("causal_mask", section="causal-mask", variant_of="only_one_step_back")
def only_itself(T):
    """Each token sees only itself: the diagonal alone is True."""
    return np.eye(T, dtype=bool)


@wrong("causal_mask", section="causal-mask")
def only_one_step_back(T):
    """Each token sees itself and its predecessor, nothing earlier."""
    return np.eye(T, dtype=bool) | np.eye(T, k=-1, dtype=bool)


@wrong("causal_mask", "C25", section="causal-mask", variant_of="integer_triangle")
def float_triangle(T):
    """The triangle is right but made of the floats 0 and 1."""
    return np.tril(np.ones((T, T)))


@wrong("causal_mask", "A13", section="causal-mask")
def integer_triangle(T):
    """The triangle is right but made of the integers 0 and 1, so that ~ does not negate it."""
    return np.tri(T, dtype=int)


@wrong("causal_mask", "A13", section="causal-mask")
def inverted_integers(T):
    """Bitwise not of an integer triangle gives -1 and -2, both of which count as true."""
    return ~np.triu(np.ones((T, T), dtype=int), k=1)


@wrong("causal_mask", "A9", section="causal-mask")
def additive_mask(T):
    """Returns numbers to add to the scores, 0 and -inf, instead of True and False."""
    return np.where(np.tri(T, dtype=bool), 0.0, -np.inf)


@wrong("causal_mask", section="causal-mask")
def extra_batch_axis(T):
    """The mask has a leading axis of length 1 that nobody asked for."""
    return np.tri(T, dtype=bool)[None, :, :]


@wrong("causal_mask", section="causal-mask")
def first_row_forgotten(T):
    """The loop starts at the second token, so the first row stays empty."""
    mask = np.zeros((T, T), dtype=bool)
    for i in range(1, T):
        mask[i, : i + 1] = True
    return mask


@wrong("causal_mask", section="causal-mask", variant_of="first_row_forgotten")
def last_row_forgotten(T):
    """The loop stops one token early, so the last row stays empty."""
    mask = np.zeros((T, T), dtype=bool)
    for i in range(T - 1):
        mask[i, : i + 1] = True
    return mask


@wrong("causal_mask", section="causal-mask", variant_of="empty_sequence_fails")
def empty_mask_loses_its_shape(T):
    """Nested lists turned into an array: for T = 0 the result has shape (0,) and holds floats."""
    return np.array([[j <= i for j in range(T)] for i in range(T)])


@wrong("causal_mask", section="causal-mask")
def empty_sequence_fails(T):
    """The first token is treated apart, which breaks when there is no first token."""
    mask = np.zeros((T, T), dtype=bool)
    mask[0, 0] = True
    for i in range(1, T):
        mask[i] = mask[i - 1]
        mask[i, i] = True
    return mask


@wrong("causal_mask", section="causal-mask")
def cut_at_longest_context(T):
    """The mask is cut from a fixed square of 32 tokens, so longer sequences get too small a mask."""
    return np.tri(32, dtype=bool)[:T, :T]


@wrong("causal_mask", "A106", needs=("_MASK = None",), section="causal-mask")
def mask_of_first_call(T):
    """The mask of the first call is kept and returned for every other length."""
    global _MASK
    if _MASK is None:
        _MASK = np.tri(T, dtype=bool)
    return _MASK


@wrong("causal_mask", section="causal-mask")
def blocks_of_two(T):
    """Integer division in the comparison: tokens see the whole pair they belong to."""
    positions = np.arange(T) // 2
    return positions[None, :] <= positions[:, None]
