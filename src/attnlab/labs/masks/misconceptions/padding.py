"""Wrong versions of ``padding_mask``."""

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong

_MASKS = {}


@wrong("padding_mask", "A4", section="padding")
def padding_marked_true(lengths, T):
    """True marks the padding, as a key_padding_mask does, where the course wants True for tokens."""
    return np.arange(T) >= lengths[:, None, None]


@wrong("padding_mask", section="padding")
def one_padding_position_shown(lengths, T):
    """The comparison takes in the position at the length itself, which is padding already."""
    return np.arange(T) <= lengths[:, None, None]


@wrong("padding_mask", section="padding")
def last_token_hidden(lengths, T):
    """The comparison stops one position early, so the last token of each text is hidden."""
    return np.arange(T) < lengths[:, None, None] - 1


@wrong("padding_mask", section="padding")
def padding_on_the_left(lengths, T):
    """The tokens are taken to stand at the end, behind the padding."""
    return np.arange(T) >= T - lengths[:, None, None]


@wrong("padding_mask", "A14", section="padding")
def queries_masked(lengths, T):
    """The axis of length 1 stands for the keys: padded queries are marked instead of padded keys."""
    return (np.arange(T) < lengths[:, None, None]).swapaxes(-1, -2)


@wrong("padding_mask", section="padding")
def no_axis_for_queries(lengths, T):
    """The mask has shape (B, T): without an axis for the queries it meets the queries of another axis."""
    return np.arange(T) < lengths[:, None]


@wrong("padding_mask", section="padding", variant_of="no_axis_for_queries")
def axis_for_heads_added(lengths, T):
    """The mask has shape (B, 1, 1, T), with an axis for heads that nobody asked for."""
    return (np.arange(T) < lengths[:, None, None])[:, None]


@wrong("padding_mask", section="padding", variant_of="no_axis_for_queries")
def repeated_for_every_query(lengths, T):
    """The row of each text is repeated for all T queries, so the shape is (B, T, T)."""
    return np.repeat(np.arange(T) < lengths[:, None, None], T, axis=1)


@wrong("padding_mask", "A14", section="padding")
def pairs_of_tokens(lengths, T):
    """True only where query and key both are tokens, in shape (B, T, T)."""
    tokens = np.arange(T) < lengths[:, None, None]
    return tokens & tokens.swapaxes(-1, -2)


@wrong("padding_mask", "A15", section="padding", variant_of="longest_text_for_all")
def first_length_for_all(lengths, T):
    """Every text gets the mask of the first one."""
    return np.repeat(np.arange(T) < lengths[:1, None, None], len(lengths), axis=0)


@wrong("padding_mask", section="padding")
def longest_text_for_all(lengths, T):
    """The mask of the longest text is used for all."""
    return np.repeat(np.arange(T) < lengths.max().reshape(1, 1, 1), len(lengths), axis=0)


@wrong("padding_mask", section="padding")
def as_wide_as_the_longest_text(lengths, T):
    """The mask ends with the longest text instead of having T positions."""
    return np.arange(lengths.max()) < lengths[:, None, None]


@wrong("padding_mask", section="padding")
def numbers_for_answers(lengths, T):
    """The mask is right but made of the numbers 0 and 1."""
    return (np.arange(T) < lengths[:, None, None]).astype(int)


@wrong("padding_mask", "A9", section="padding")
def padding_as_bias(lengths, T):
    """Returns numbers to add to the scores, 0 and -inf, instead of True and False."""
    return np.where(np.arange(T) < lengths[:, None, None], 0.0, -np.inf)


@wrong("padding_mask", section="padding")
def empty_text_shown_in_full(lengths, T):
    """A text of length 0 is taken for one without padding."""
    lengths = np.where(lengths == 0, T, lengths)
    return np.arange(T) < lengths[:, None, None]


@wrong("padding_mask", section="padding")
def empty_text_keeps_a_token(lengths, T):
    """A text of length 0 keeps its first position, so that no row is ever empty."""
    lengths = np.maximum(lengths, 1)
    return np.arange(T) < lengths[:, None, None]


@wrong("padding_mask", "A12", section="how-to-work")
def lengths_counted_down(lengths, T):
    """The caller's lengths are lowered in place."""
    lengths -= 1
    return np.arange(T) <= lengths[:, None, None]


@wrong("padding_mask", "A106", section="how-to-work", needs=("_MASKS = {}",))
def mask_of_the_first_batch(lengths, T):
    """The mask of the first batch of each size is kept and returned for later ones."""
    return _MASKS.setdefault((len(lengths), T), np.arange(T) < lengths[:, None, None])
