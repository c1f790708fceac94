"""Wrong versions of ``cross_attention``."""

import math

import numpy as np

from attnlab.labs.masks.misconceptions.registry import wrong
from attnlab.masks import masked_attention, safe_softmax


@wrong("cross_attention", "A55", section="cross-attention")
def roles_of_the_texts_exchanged(X, Z, W_q, W_k, W_v, mask=None):
    """Queries come from Z, keys and values from X."""
    return masked_attention(Z @ W_q, X @ W_k, X @ W_v, mask)


@wrong("cross_attention", "A55", section="cross-attention")
def only_one_text(X, Z, W_q, W_k, W_v, mask=None):
    """Keys and values come from X too, so Z is never asked."""
    return masked_attention(X @ W_q, X @ W_k, X @ W_v, mask)


@wrong("cross_attention", "A55", section="cross-attention")
def values_from_the_asking_text(X, Z, W_q, W_k, W_v, mask=None):
    """Keys come from Z but values from X."""
    return masked_attention(X @ W_q, Z @ W_k, X @ W_v, mask)


@wrong("cross_attention", "A55", section="cross-attention", variant_of="values_from_the_asking_text")
def keys_from_the_asking_text(X, Z, W_q, W_k, W_v, mask=None):
    """Values come from Z but keys from X."""
    return masked_attention(X @ W_q, X @ W_k, Z @ W_v, mask)


@wrong("cross_attention", "A55", section="cross-attention", variant_of="only_one_text")
def queries_from_the_asked_text(X, Z, W_q, W_k, W_v, mask=None):
    """Queries come from Z as well, so X is never used."""
    return masked_attention(Z @ W_q, Z @ W_k, Z @ W_v, mask)


@wrong("cross_attention", "A51", section="cross-attention")
def projections_of_keys_and_values_exchanged(X, Z, W_q, W_k, W_v, mask=None):
    """Keys are projected with W_v and values with W_k."""
    return masked_attention(X @ W_q, Z @ W_v, Z @ W_k, mask)


@wrong("cross_attention", "A51", section="cross-attention", variant_of="projections_of_keys_and_values_exchanged")
def projections_of_queries_and_keys_exchanged(X, Z, W_q, W_k, W_v, mask=None):
    """Queries are projected with W_k and keys with W_q."""
    return masked_attention(X @ W_k, Z @ W_q, Z @ W_v, mask)


@wrong("cross_attention", section="cross-attention")
def values_are_the_projected_keys(X, Z, W_q, W_k, W_v, mask=None):
    """Values are projected with W_k, like the keys."""
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_k, mask)


@wrong("cross_attention", section="cross-attention")
def values_as_they_come(X, Z, W_q, W_k, W_v, mask=None):
    """The hidden states of Z are averaged without a projection to values."""
    return masked_attention(X @ W_q, Z @ W_k, Z, mask)


@wrong("cross_attention", "A48", section="cross-attention")
def projections_turned_over(X, Z, W_q, W_k, W_v, mask=None):
    """The projections are transposed, which fits only when widths are equal."""
    return masked_attention(X @ W_q.T, Z @ W_k.T, Z @ W_v.T, mask)


@wrong("cross_attention", section="cross-attention")
def mask_not_handed_on(X, Z, W_q, W_k, W_v, mask=None):
    """The mask is not handed on, so padding of Z is read."""
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v)


@wrong("cross_attention", "A4", section="cross-attention")
def mask_negated_on_the_way(X, Z, W_q, W_k, W_v, mask=None):
    """The mask is negated before it is handed on."""
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, None if mask is None else ~mask)


@wrong("cross_attention", "A56", "A14", section="cross-attention")
def mask_for_the_asking_text(X, Z, W_q, W_k, W_v, mask=None):
    """The mask is transposed, as if it described the text that asks."""
    if mask is not None:
        mask = mask.swapaxes(-1, -2)
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)


@wrong("cross_attention", "A56", "A17", section="cross-attention")
def future_of_the_other_text_hidden(X, Z, W_q, W_k, W_v, mask=None):
    """A causal mask is laid over the two texts, although one is not the future of the other."""
    causal = np.tri(X.shape[-2], Z.shape[-2], dtype=bool)
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, causal if mask is None else causal & mask)


@wrong("cross_attention", "A19", section="cross-attention")
def nothing_to_see_gives_nan(X, Z, W_q, W_k, W_v, mask=None):
    """Attention is written out with an ordinary softmax, so a token that sees nothing gives NaN."""
    scores = (X @ W_q) @ (Z @ W_k).swapaxes(-1, -2) / math.sqrt(W_q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ (Z @ W_v), weights


@wrong("cross_attention", "A35", section="cross-attention")
def scale_of_the_asking_text(X, Z, W_q, W_k, W_v, mask=None):
    """Attention is written out and scaled by the root of d_model instead of d_k."""
    scores = (X @ W_q) @ (Z @ W_k).swapaxes(-1, -2) / math.sqrt(X.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = safe_softmax(scores)
    return weights @ (Z @ W_v), weights


@wrong("cross_attention", section="cross-attention")
def first_of_the_other_texts(X, Z, W_q, W_k, W_v, mask=None):
    """All sequences of a batch ask the first text."""
    first = np.broadcast_to(Z[(slice(0, 1),) * (Z.ndim - 2)], Z.shape)
    return masked_attention(X @ W_q, first @ W_k, first @ W_v, mask)


@wrong("cross_attention", section="cross-attention")
def output_without_weights(X, Z, W_q, W_k, W_v, mask=None):
    """Only the output is returned."""
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)[0]


@wrong("cross_attention", section="cross-attention")
def weights_come_first(X, Z, W_q, W_k, W_v, mask=None):
    """The weights are returned before the output."""
    out, weights = masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
    return weights, out


@wrong("cross_attention", "A12", section="how-to-work")
def asked_text_centred_in_place(X, Z, W_q, W_k, W_v, mask=None):
    """The caller's Z is changed in place."""
    Z -= Z.mean(axis=-1, keepdims=True)
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)
