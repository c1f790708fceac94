"""Wrong versions of ``attention`` that go astray in the axes, or in what is returned."""

import math

import numpy as np

from attnlab.attention import softmax
from attnlab.labs.attention.misconceptions.registry import wrong

_BUFFERS = {}


@wrong("attention", "A47", section="batches")
def all_axes_reversed(Q, K, V, mask=None):
    """K.T reverses all axes of a batch, not only the last two."""
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A47", "A53", section="batches")
def axes_one_and_two_swapped(Q, K, V, mask=None):
    """Axes 1 and 2 are swapped, which are the last two only with exactly one batch axis."""
    scores = Q @ np.swapaxes(K, 1, 2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A53", section="batches", variant_of="axes_one_and_two_swapped")
def first_two_axes_swapped(Q, K, V, mask=None):
    """Axes 0 and 1 are swapped, which are the last two only without batch axes."""
    scores = Q @ np.swapaxes(K, 0, 1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A44", section="batches")
def key_reshaped(Q, K, V, mask=None):
    """The keys are reshaped to (d_k, T_k) instead of transposed, which mixes tokens and channels."""
    scores = Q @ K.reshape(*K.shape[:-2], K.shape[-1], K.shape[-2]) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="batches")
def dot_instead_of_matmul(Q, K, V, mask=None):
    """np.dot multiplies every sequence of a batch with every other."""
    scores = np.dot(Q, K.swapaxes(-1, -2)) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.dot(weights, V), weights


@wrong("attention", "A50", section="batches")
def einsum_for_one_batch_axis(Q, K, V, mask=None):
    """The subscripts name exactly one batch axis, so none or two of them raise an error."""
    scores = np.einsum("bqd,bkd->bqk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.einsum("bqk,bkd->bqd", weights, V), weights


@wrong("attention", "A50", section="batches")
def einsum_letter_reused(Q, K, V, mask=None):
    """The second einsum sums over the queries and leaves the keys standing."""
    scores = np.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.einsum("...qk,...kd->...kd", weights, V), weights


@wrong("attention", section="batches", variant_of="einsum_for_one_batch_axis")
def loop_over_one_batch_axis(Q, K, V, mask=None):
    """The loop over the first axis expects exactly one batch axis."""
    outs, all_weights = [], []
    for b in range(Q.shape[0]):
        scores = Q[b] @ K[b].T / math.sqrt(Q.shape[-1])
        if mask is not None:
            scores = np.where(mask if mask.ndim == 2 else mask[b], scores, -np.inf)
        weights = softmax(scores)
        outs.append(weights @ V[b])
        all_weights.append(weights)
    return np.stack(outs), np.stack(all_weights)


@wrong("attention", section="how-to-work")
def batch_axes_merged(Q, K, V, mask=None):
    """All batch axes are merged into one and never restored."""
    Q, K, V = (x.reshape(-1, *x.shape[-2:]) for x in (Q, K, V))
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(mask, scores.shape) if mask.ndim <= 3 else mask.reshape(scores.shape)
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", section="how-to-work", variant_of="batch_axes_merged")
def unit_axes_dropped(Q, K, V, mask=None):
    """Axes of length 1 are dropped from both results."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return np.squeeze(weights @ V), np.squeeze(weights)


@wrong("attention", "A49", section="six-steps")
def queries_and_keys_swapped(Q, K, V, mask=None):
    """The scores are K Q^T, so rows belong to keys and columns to queries."""
    scores = K @ Q.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


@wrong("attention", "A49", section="six-steps")
def weights_transposed_before_values(Q, K, V, mask=None):
    """The weights are transposed before they meet the values."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights.swapaxes(-1, -2) @ V, weights


@wrong("attention", "A49", section="write-attention")
def weights_returned_transposed(Q, K, V, mask=None):
    """The output is right but the weights come back with queries and keys swapped."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights.swapaxes(-1, -2)


@wrong("attention", section="write-attention")
def weights_before_output(Q, K, V, mask=None):
    """The pair comes back in the wrong order: weights first, output second."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights, weights @ V


@wrong("attention", section="write-attention")
def output_alone(Q, K, V, mask=None):
    """Only the output is returned, without the weights."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ V


@wrong("attention", section="write-attention")
def scores_returned_as_weights(Q, K, V, mask=None):
    """The output is right but the scores are returned in place of the weights."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    return softmax(scores) @ V, scores


@wrong("attention", section="write-attention")
def output_shaped_like_query(Q, K, V, mask=None):
    """The output array takes the shape of Q, which is right only when d_v equals d_k."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    out = np.zeros_like(Q)
    out[...] = weights @ V
    return out, weights


@wrong("attention", "A12", needs=("_BUFFERS = {}",), section="how-to-work", variant_of="pair_remembered_by_shape")
def output_buffer_reused(Q, K, V, mask=None):
    """Every call writes its output into the same array, so an earlier result changes under the caller's hands."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    shape = (*Q.shape[:-1], V.shape[-1])
    out = _BUFFERS.setdefault(shape, np.empty(shape))
    out[...] = weights @ V
    return out, weights
