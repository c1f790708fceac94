"""Wrong versions of ``masked_attention``."""

import math

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong
from attnlab.masks import safe_softmax

_BIAS = {}


@wrong("masked_attention", "A19", section="masked-attention")
def blind_query_gives_nan(Q, K, V, mask=None):
    """An ordinary softmax turns the scores into weights, so a query that sees nothing gives NaN."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("masked_attention", "A20", section="masked-attention")
def blind_query_averages_all(Q, K, V, mask=None):
    """Hidden scores become -1e9, so a query that sees nothing takes the mean of all values."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A20", section="masked-attention", variant_of="blind_query_sees_everything")
def blind_query_keeps_its_scores(Q, K, V, mask=None):
    """A large number is subtracted from hidden scores, so a query that sees nothing attends as if unmasked."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores - np.where(mask, 0, 2.0**33)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", section="masked-attention")
def blind_query_sees_everything(Q, K, V, mask=None):
    """A row of the mask that hides everything is opened."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask | ~mask.any(axis=-1, keepdims=True), scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", section="masked-attention", variant_of="blind_query_sees_first_key")
def blind_query_sees_itself(Q, K, V, mask=None):
    """A query that sees nothing is allowed to see the key at its own position."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        itself = np.eye(*scores.shape[-2:], dtype=bool)
        scores = np.where(mask | itself & ~mask.any(axis=-1, keepdims=True), scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", section="masked-attention")
def blind_query_sees_first_key(Q, K, V, mask=None):
    """A query that sees nothing is allowed to see the first key."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        first = np.arange(scores.shape[-1]) == 0
        scores = np.where(mask | first & ~mask.any(axis=-1, keepdims=True), scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A20", section="masked-attention")
def blind_weights_left_over(Q, K, V, mask=None):
    """The output of a query that sees nothing is zero, but its weights are shared out evenly."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = safe_softmax(scores)
    out = weights @ V
    if mask is not None:
        out = np.where(mask.any(axis=-1, keepdims=True), out, 0)
    return out, weights


@wrong("masked_attention", section="masked-attention", variant_of="blind_weights_left_over")
def blind_output_left_over(Q, K, V, mask=None):
    """The weights of a query that sees nothing are zero, but its output is the mean of all values."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = safe_softmax(scores)
    out = weights @ V
    if mask is not None:
        weights = np.where(mask.any(axis=-1, keepdims=True), weights, 0)
    return out, weights


@wrong("masked_attention", section="masked-attention")
def one_blind_query_blinds_all(Q, K, V, mask=None):
    """As soon as one query sees nothing, all outputs and weights are zero."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
        if not mask.any(axis=-1).all():
            scores = np.full_like(scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A4", section="masked-attention")
def mask_read_as_blocked(Q, K, V, mask=None):
    """True is read as blocked, so exactly the wrong keys are visible."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A11", section="masked-attention")
def masked_scores_thrown_away(Q, K, V, mask=None):
    """The masked scores are computed and thrown away, so nothing is hidden."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A7", section="masked-attention")
def scores_times_mask(Q, K, V, mask=None):
    """Hidden scores become 0 instead of -inf, so hidden keys keep weight e^0."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores * mask
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A9", section="masked-attention")
def mask_added_to_scores(Q, K, V, mask=None):
    """The mask is added to the scores as 0 and 1, so hidden keys only lose a factor e."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A5", section="masked-attention")
def weights_masked_afterwards(Q, K, V, mask=None):
    """The mask is applied to the weights after softmax, so rows sum to less than 1."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = safe_softmax(scores)
    if mask is not None:
        weights = weights * mask
    return weights @ V, weights


@wrong("masked_attention", "A21", section="masked-attention")
def fill_above_low_scores(Q, K, V, mask=None):
    """Hidden scores become -10000, which is not below every legal score; empty rows are then set to zero."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, np.where(mask.any(axis=-1, keepdims=True), -1e4, -np.inf))
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A14", section="masked-attention")
def mask_on_queries(Q, K, V, mask=None):
    """The mask is transposed, so it hides queries from keys instead of keys from queries."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask.swapaxes(-1, -2) if mask.ndim > 1 else mask[:, None], scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A17", section="masked-attention")
def always_causal_too(Q, K, V, mask=None):
    """The future is hidden on top of what the mask hides, and without a mask as well."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    causal = np.tri(*scores.shape[-2:], dtype=bool)
    scores = np.where(causal if mask is None else causal & mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A17", section="masked-attention", variant_of="always_causal_too")
def causal_without_mask(Q, K, V, mask=None):
    """Without a mask the future is hidden all the same."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is None:
        mask = np.tri(*scores.shape[-2:], dtype=bool)
    weights = safe_softmax(np.where(mask, scores, -np.inf))
    return weights @ V, weights


@wrong("masked_attention", "A15", section="masked-attention")
def mask_of_the_first_text(Q, K, V, mask=None):
    """Every sequence of the batch gets the mask of the first one."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        while mask.ndim > 2:
            mask = mask[0]
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A16", section="masked-attention")
def mask_indexed(Q, K, V, mask=None):
    """scores[~mask] needs a mask of exactly the scores' shape and does not broadcast."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores[~mask] = -np.inf
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", section="masked-attention")
def needs_a_mask(Q, K, V, mask=None):
    """The mask is used without asking whether there is one, so mask=None hides everything or fails."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    scores = np.where(np.asarray(mask, dtype=bool), scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A33", section="masked-attention")
def scores_not_scaled(Q, K, V, mask=None):
    """The scores are not divided by the root of d_k."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A34", section="masked-attention")
def divided_by_the_width(Q, K, V, mask=None):
    """The scores are divided by d_k instead of its root."""
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A36", section="masked-attention")
def scaled_by_value_width(Q, K, V, mask=None):
    """The scores are divided by the root of d_v instead of d_k."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(V.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A36", section="masked-attention", variant_of="scaled_by_value_width")
def scaled_by_length(Q, K, V, mask=None):
    """The scores are divided by the root of the number of keys instead of d_k."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(K.shape[-2])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A37", section="masked-attention")
def multiplied_by_the_root(Q, K, V, mask=None):
    """The scores are multiplied by the root of d_k instead of divided by it."""
    scores = Q @ K.swapaxes(-1, -2) * math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A38", section="masked-attention")
def scaled_after_softmax(Q, K, V, mask=None):
    """The weights are divided by the root of d_k instead of the scores."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores) / math.sqrt(Q.shape[-1])
    return weights @ V, weights


@wrong("masked_attention", "A31", section="masked-attention")
def softmax_twice(Q, K, V, mask=None):
    """Softmax is taken once more of the finished weights, so hidden keys get weight again."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(safe_softmax(scores))
    return weights @ V, weights


@wrong("masked_attention", "A49", section="masked-attention")
def scores_of_keys_for_queries(Q, K, V, mask=None):
    """Rows of the scores belong to keys, which fits only when there are as many queries as keys."""
    scores = K @ Q.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A47", section="masked-attention")
def all_axes_reversed(Q, K, V, mask=None):
    """K.T reverses all axes of a batch."""
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", section="masked-attention")
def weights_of_the_unmasked(Q, K, V, mask=None):
    """The output is right but the returned weights are those without the mask."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    plain = safe_softmax(scores)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ V, plain


@wrong("masked_attention", "A12", section="how-to-work")
def mask_turned_over_in_place(Q, K, V, mask=None):
    """The caller's mask is inverted in place."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        hidden = np.logical_not(mask, out=mask)
        scores = np.where(hidden, -np.inf, scores)
    weights = safe_softmax(scores)
    return weights @ V, weights


@wrong("masked_attention", "A106", section="how-to-work", needs=("_BIAS = {}",))
def mask_of_the_first_call(Q, K, V, mask=None):
    """The first mask of each shape is remembered and used for every later mask of that shape."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + _BIAS.setdefault(mask.shape, np.where(mask, 0.0, -np.inf))
    weights = safe_softmax(scores)
    return weights @ V, weights
