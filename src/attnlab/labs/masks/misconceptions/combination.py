"""Wrong versions of ``combine_masks``."""

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong


@wrong("combine_masks", section="combination")
def any_mask_suffices(*masks):
    """Logical or: a key is visible as soon as one mask allows it."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined | mask
    return combined


@wrong("combine_masks", section="combination")
def exactly_one_allows(*masks):
    """Exclusive or: a key that two masks allow is hidden again."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined ^ mask
    return combined


@wrong("combine_masks", section="combination", variant_of="exactly_one_allows")
def visible_where_masks_agree(*masks):
    """Equality: a key that two masks forbid becomes visible."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined == mask
    return combined


@wrong("combine_masks", section="combination", variant_of="last_mask_only")
def first_mask_only(*masks):
    """Only the first mask counts."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & (mask | True)
    return combined


@wrong("combine_masks", section="combination")
def last_mask_only(*masks):
    """Each mask takes the place of the one before."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else (combined | True) & mask
    return combined


@wrong("combine_masks", section="combination")
def two_masks_at_most(*masks):
    """Masks behind the second one are not looked at."""
    combined = None
    for mask in [mask for mask in masks if mask is not None][:2]:
        combined = mask if combined is None else combined & mask
    return combined


@wrong("combine_masks", section="combination")
def none_hides_everything(*masks):
    """None is read as a mask that allows nothing."""
    combined = None
    for mask in masks:
        if mask is None and any(m is not None for m in masks):
            mask = np.zeros((1, 1), dtype=bool)
        if mask is not None:
            combined = mask if combined is None else combined & mask
    return combined


@wrong("combine_masks", section="combination", variant_of="nothing_behind_none")
def one_none_shows_everything(*masks):
    """As soon as one argument is None, the result is None and nothing is hidden."""
    combined = None
    for mask in masks:
        if mask is None:
            return None
        combined = mask if combined is None else combined & mask
    return combined


@wrong("combine_masks", section="combination")
def nothing_behind_none(*masks):
    """The first None ends the walk, so masks behind it are not looked at."""
    combined = None
    for mask in masks:
        if mask is None:
            break
        combined = mask if combined is None else combined & mask
    return combined


@wrong("combine_masks", section="combination")
def none_not_expected(*masks):
    """None is combined like a mask, which raises an error."""
    combined = masks[0]
    for mask in masks[1:]:
        combined = np.bitwise_and(combined, mask)
    return combined


@wrong("combine_masks", section="combination")
def true_in_place_of_none(*masks):
    """Without any mask the result is True instead of None."""
    combined = np.True_
    for mask in masks:
        if mask is not None:
            combined = combined & mask
    return combined


@wrong("combine_masks", section="combination")
def hidden_everything_skipped(*masks):
    """A mask that allows nothing is skipped like None."""
    combined = None
    for mask in masks:
        if mask is not None and mask.any():
            combined = mask if combined is None else combined & mask
    return combined


@wrong("combine_masks", section="combination")
def truth_of_each_mask(*masks):
    """`if mask` asks a whole array for one truth value, which raises an error."""
    combined = None
    for mask in masks:
        if mask:
            combined = mask if combined is None else combined & mask
    return combined


@wrong("combine_masks", section="combination", variant_of="truth_of_each_mask")
def joined_by_the_word_and(*masks):
    """Python's `and` asks a whole array for one truth value, which raises an error."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined and mask
    return combined


@wrong("combine_masks", section="combination")
def masks_of_one_shape_only(*masks):
    """The masks are stacked, which needs equal shapes and does not broadcast."""
    given = [mask for mask in masks if mask is not None]
    return np.stack(given).all(axis=0) if given else None


@wrong("combine_masks", section="combination")
def single_mask_folded(*masks):
    """A single mask is itself reduced along its first axis."""
    given = [mask for mask in masks if mask is not None]
    if not given:
        return None
    return np.logical_and.reduce(given[0] if len(given) == 1 else np.broadcast_arrays(*given))


@wrong("combine_masks", "A12", section="how-to-work")
def first_mask_overwritten(*masks):
    """The result is written into the caller's first mask."""
    combined = None
    for mask in masks:
        if mask is not None:
            if combined is None:
                combined = mask
            elif np.broadcast_shapes(combined.shape, mask.shape) == combined.shape:
                combined &= mask
            else:
                combined = combined & mask
    return combined


@wrong("combine_masks", "A4", section="combination")
def combined_as_blocked(*masks):
    """The masks are combined as if True meant blocked, and the result is turned over."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = ~mask if combined is None else combined & ~mask
    return combined


@wrong("combine_masks", section="combination", variant_of="combined_as_blocked")
def result_turned_over(*masks):
    """The logical and is right but returned negated."""
    combined = None
    for mask in masks:
        if mask is not None:
            combined = mask if combined is None else combined & mask
    return None if combined is None else ~combined
