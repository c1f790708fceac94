"""Wrong versions of ``attention`` that go astray in what the mask does."""

import math

import numpy as np

from attnlab.attention import softmax
from attnlab.labs.attention.misconceptions.registry import wrong

_BIAS = {}


@wrong("attention", "A11", section="hiding")
def mask_result_dropped(Q, K, V, mask=None):
    """The masked scores are computed and thrown away, so nothing is hidden."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A4", section="causal-mask")
def mask_inverted(Q, K, V, mask=None):
    """True is read as hidden, so exactly the wrong keys are visible."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A4", section="causal-mask", variant_of="mask_inverted")
def mask_inverted_finite(Q, K, V, mask=None):
    """True is read as hidden, with a large finite number for hidden scores."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -1e9, scores)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A7", section="hiding")
def hidden_scores_set_to_zero(Q, K, V, mask=None):
    """Hidden scores become 0 instead of -inf, so hidden keys keep weight e^0 = 1."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A7", section="hiding", variant_of="sentinel_of_ten_thousand")
def hidden_scores_set_to_minus_one(Q, K, V, mask=None):
    """Hidden scores become -1 instead of -inf, so hidden keys keep some weight."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A6", section="hiding")
def fill_of_wrong_sign(Q, K, V, mask=None):
    """Hidden scores become +inf instead of -inf."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A6", section="hiding", variant_of="fill_of_wrong_sign")
def large_fill_of_wrong_sign(Q, K, V, mask=None):
    """Hidden scores become +1e9, so all weight goes to hidden keys."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, 1e9)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A6", section="hiding")
def infinity_times_zero(Q, K, V, mask=None):
    """-inf is multiplied by 0 at visible keys, which gives NaN."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask.astype(float)) * -np.inf
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A9", section="hiding")
def mask_added_as_numbers(Q, K, V, mask=None):
    """The mask is added to the scores as 0 and 1, so hidden keys only lose a factor e."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A21", section="hiding", variant_of="sentinel_of_ten_thousand")
def sentinel_of_ten(Q, K, V, mask=None):
    """Hidden scores become -10, which leaves hidden keys a visible weight."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -10.0)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A21", section="hiding", variant_of="sentinel_of_ten_thousand")
def sentinel_of_hundred(Q, K, V, mask=None):
    """Hidden scores become -100, which is not below every legal score."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -100.0)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A21", section="hiding")
def sentinel_of_ten_thousand(Q, K, V, mask=None):
    """Hidden scores become -10000, which is not below every legal score."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -10_000.0)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A21", section="hiding", variant_of="sentinel_of_ten_thousand")
def penalty_too_small(Q, K, V, mask=None):
    """100 is subtracted from hidden scores, which a large hidden score survives."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores - 100.0 * ~mask
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="hiding")
def honest_zeros_hidden(Q, K, V, mask=None):
    """Scores are multiplied by the mask and every 0 is then hidden, also an honest score of 0."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores * mask
        scores = np.where(scores == 0, -1e30, scores)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A5", section="hiding")
def masked_after_softmax(Q, K, V, mask=None):
    """The mask is applied to the weights after softmax, so rows sum to less than 1."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
    return weights @ V, weights


@wrong("attention", "A5", section="hiding")
def renormalised_over_queries(Q, K, V, mask=None):
    """The weights are masked after softmax and divided by column sums instead of row sums."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
        weights = weights / (weights.sum(axis=-2, keepdims=True) + 1e-12)
    return weights @ V, weights


@wrong("attention", "A5", section="hiding")
def renormalised_with_epsilon(Q, K, V, mask=None):
    """The weights are masked after softmax and divided by their sum plus 0.0001, so rows sum to less than 1."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
        weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-4)
    return weights @ V, weights


@wrong("attention", "A5", section="hiding")
def hidden_values_zeroed(Q, K, V, mask=None):
    """The output is masked but the weights are returned as they were before."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    visible = weights if mask is None else weights * mask
    return visible @ V, weights


@wrong("attention", "A11", section="hiding")
def weights_returned_unmasked(Q, K, V, mask=None):
    """The output is right but the returned weights are those without the mask."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    masked = scores if mask is None else np.where(mask, scores, -np.inf)
    return softmax(masked) @ V, softmax(scores)


@wrong("attention", "A17", section="write-attention", variant_of="always_causal")
def no_mask_means_causal(Q, K, V, mask=None):
    """Without a mask the future is hidden all the same."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is None:
        mask = np.tri(Q.shape[-2], K.shape[-2], dtype=bool)
    weights = softmax(np.where(mask, scores, -np.inf))
    return weights @ V, weights


@wrong("attention", section="write-attention")
def any_mask_means_causal(Q, K, V, mask=None):
    """Whatever mask is given, the causal one is used."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(np.tri(Q.shape[-2], K.shape[-2], dtype=bool), scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="write-attention")
def always_causal(Q, K, V, mask=None):
    """The future is hidden in addition to whatever the mask hides."""
    causal = np.tri(Q.shape[-2], K.shape[-2], dtype=bool)
    visible = causal if mask is None else causal & mask
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(np.where(visible, scores, -1e9))
    return weights @ V, weights


@wrong("attention", "A14", section="hiding")
def mask_transposed(Q, K, V, mask=None):
    """The mask is transposed, so it hides queries from keys instead of keys from queries."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask.swapaxes(-1, -2), scores, -1e9)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A17", section="hiding")
def mask_ignored_in_batches(Q, K, V, mask=None):
    """The mask is used only when it has exactly two axes."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None and mask.ndim == 2:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A15", section="hiding")
def mask_of_first_sequence(Q, K, V, mask=None):
    """Every sequence of the batch gets the mask of the first one."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        while mask.ndim > 2:
            mask = mask[0]
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A15", section="hiding", variant_of="mask_of_first_sequence")
def mask_tiled_over_batch(Q, K, V, mask=None):
    """A mask with batch axes of length 1 is tiled in the wrong order, so sequences get each other's mask."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(mask, (*mask.shape[:-2], *scores.shape[-2:])).reshape(-1, *scores.shape[-2:])
        copies = math.prod(scores.shape[:-2]) // len(mask)
        scores = np.where(np.tile(mask, (copies, 1, 1)).reshape(scores.shape), scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A16", section="hiding")
def mask_never_broadcast(Q, K, V, mask=None):
    """scores[~mask] needs a mask of exactly the scores' shape and does not broadcast."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores[~mask] = -np.inf
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A16", section="hiding")
def mask_repeated_cyclically(Q, K, V, mask=None):
    """np.resize runs through a smaller mask again and again where broadcasting is meant."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(np.resize(mask, scores.shape), scores, -1e9)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A4", "A12", section="how-to-work")
def mask_inverted_in_place(Q, K, V, mask=None):
    """The caller's mask is inverted in place, so the next call hides the wrong keys."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        hidden = np.logical_not(mask, out=mask)
        scores = np.where(hidden, -np.inf, scores)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="write-attention")
def truth_of_a_mask(Q, K, V, mask=None):
    """`if mask:` asks a whole array for one truth value, which raises an error."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="write-attention")
def mask_required(Q, K, V, mask=None):
    """The mask is used without asking whether there is one, so mask=None raises an error."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    scores = scores + np.where(mask.astype(bool), 0, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="hiding")
def first_visible_key_dropped(Q, K, V, mask=None):
    """The first key is hidden from every query that sees another one."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores[..., 0] = -1e9
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A106", needs=("_BIAS = {}",), section="how-to-work")
def first_mask_remembered(Q, K, V, mask=None):
    """The first mask of each shape is turned into a bias once and used for every later mask of that shape."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + _BIAS.setdefault(mask.shape, np.where(mask, 0.0, -np.inf))
    weights = softmax(scores)
    return weights @ V, weights
