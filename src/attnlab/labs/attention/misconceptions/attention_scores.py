"""Wrong versions of ``attention`` that go astray in the numbers: scale, softmax, precision, values."""

import math

import numpy as np

from attnlab.attention import softmax
from attnlab.labs.attention.misconceptions.registry import wrong

_CACHE = {}


@wrong("attention", "A33", section="why-sqrt")
def no_scale(Q, K, V, mask=None):
    """The scores are not divided by sqrt(d_k)."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A34", section="why-sqrt")
def divided_by_d_k(Q, K, V, mask=None):
    """The scores are divided by d_k instead of its square root."""
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A37", section="why-sqrt")
def multiplied_by_root_d_k(Q, K, V, mask=None):
    """The scores are multiplied by sqrt(d_k) instead of divided."""
    scale = Q.shape[-1] ** -0.5
    scores = Q @ K.swapaxes(-1, -2) / scale
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A38", section="why-sqrt")
def scaled_after_softmax(Q, K, V, mask=None):
    """The weights are divided by sqrt(d_k) instead of the scores."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores) / math.sqrt(Q.shape[-1])
    return weights @ V, weights


@wrong("attention", "A36", section="why-sqrt")
def scale_from_d_v(Q, K, V, mask=None):
    """The scores are divided by sqrt(d_v), the width of the values."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(V.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A36", section="why-sqrt")
def scale_from_number_of_keys(Q, K, V, mask=None):
    """The scores are divided by the root of the number of keys."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(K.shape[-2])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A36", section="why-sqrt", variant_of="scale_from_number_of_keys")
def scale_from_number_of_queries(Q, K, V, mask=None):
    """The scores are divided by the root of the number of queries."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-2])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A36", "A53", section="why-sqrt")
def scale_from_second_axis(Q, K, V, mask=None):
    """d_k is read from axis 1, which is the number of queries as soon as there is a batch axis."""
    d_k = K.shape[1]
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(d_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A36", section="why-sqrt")
def scale_from_size_of_query(Q, K, V, mask=None):
    """The scores are divided by the root of the number of all entries of Q."""
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.size)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="why-sqrt")
def scale_rounded_down(Q, K, V, mask=None):
    """The root of d_k is rounded down to a whole number."""
    scores = Q @ K.swapaxes(-1, -2) / math.isqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="why-sqrt")
def scaled_only_under_a_mask(Q, K, V, mask=None):
    """The scores are divided by sqrt(d_k) only when a mask is given."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores / math.sqrt(Q.shape[-1]), -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="why-sqrt")
def cosine_scores(Q, K, V, mask=None):
    """Queries and keys are divided by their own lengths, so the scores are cosines."""
    Q = Q / (np.linalg.norm(Q, axis=-1, keepdims=True) + 1e-12)
    K = K / (np.linalg.norm(K, axis=-1, keepdims=True) + 1e-12)
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A31", section="six-steps")
def softmax_twice(Q, K, V, mask=None):
    """softmax is applied to the weights once more, which flattens them and lets hidden keys back in."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(softmax(scores))
    return weights @ V, weights


@wrong("attention", "A24", section="six-steps")
def softmax_over_queries(Q, K, V, mask=None):
    """The weights are normalised over the queries, so columns sum to 1 instead of rows."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e9)
    weights = softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2)
    return weights @ V, weights


@wrong("attention", "A24", section="six-steps")
def softmax_over_all_pairs(Q, K, V, mask=None):
    """One softmax runs over all queries and keys together."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    pairs = scores.reshape(*scores.shape[:-2], -1)
    weights = softmax(pairs).reshape(scores.shape)
    return weights @ V, weights


@wrong("attention", "A26", section="softmax")
def own_softmax_without_shift(Q, K, V, mask=None):
    """The softmax is written out again without the shift by the maximum, so large scores overflow."""
    e = np.exp(Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1]))
    if mask is not None:
        e = e * mask
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", section="six-steps")
def hardest_choice(Q, K, V, mask=None):
    """All weight goes to the best matching key."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.eye(K.shape[-2])[scores.argmax(axis=-1)]
    return weights @ V, weights


@wrong("attention", section="six-steps")
def no_softmax(Q, K, V, mask=None):
    """The values are summed with the raw scores as weights."""
    weights = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        weights = np.where(mask, weights, 0)
    return weights @ V, weights


@wrong("attention", "A20", "B20", section="six-steps")
def plain_average(Q, K, V, mask=None):
    """Every visible key gets the same weight, whatever the query."""
    visible = np.ones((Q.shape[-2], K.shape[-2])) if mask is None else mask
    visible = np.broadcast_to(visible, (*Q.shape[:-1], K.shape[-2]))
    weights = visible / visible.sum(axis=-1, keepdims=True)
    return weights @ V, weights


@wrong("attention", section="three-roles")
def keys_averaged_instead_of_values(Q, K, V, mask=None):
    """The weighted average is taken over the keys instead of the values."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ K, weights


@wrong("attention", "A12", section="how-to-work")
def query_scaled_in_place(Q, K, V, mask=None):
    """Q is divided by sqrt(d_k) in place, so the caller's queries are changed."""
    Q /= math.sqrt(Q.shape[-1])
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A72", section="how-to-work", variant_of="scores_in_half_precision")
def scores_in_single_precision(Q, K, V, mask=None):
    """float64 scores are rounded to float32, which large scores do not survive."""
    scores = (Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])).astype(np.float32)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A23", section="how-to-work")
def scores_in_half_precision(Q, K, V, mask=None):
    """The scores are rounded to float16, which keeps three digits."""
    scores = (Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])).astype(np.float16)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores.astype(np.float64))
    return weights @ V, weights


@wrong("attention", "A120", section="how-to-work")
def weights_in_integer_array(Q, K, V, mask=None):
    """The weights are collected in an integer array, which cuts them to 0 or 1."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.zeros(scores.shape, dtype=int)
    weights[...] = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A106", needs=("_CACHE = {}",), section="how-to-work")
def pair_remembered_by_shape(Q, K, V, mask=None):
    """The result is remembered by shape, so other numbers of the same shape get an old answer."""
    key = (Q.shape, K.shape, V.shape, mask is None)
    if key not in _CACHE:
        scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        weights = softmax(scores)
        _CACHE[key] = weights @ V, weights
    return _CACHE[key]
