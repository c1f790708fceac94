"""Wrong versions of ``grouped_query_attention`` that go astray in scale, mask, numbers of heads, or results."""

import math

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong
from attnlab.multihead import merge_heads, repeat_kv, softmax, split_heads


@wrong("grouped_query_attention", "A35", section="write-gqa")
def groups_scaled_by_kv_width(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The scores are divided by the root of the width of all KV heads together."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(W_k.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A35", section="write-gqa", variant_of="groups_scaled_by_kv_width")
def groups_scaled_by_width_of_model(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The scores are divided by sqrt(d_model) instead of sqrt(D)."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(X.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A33", section="write-gqa")
def groups_not_scaled(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The scores are not divided by sqrt(D)."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="write-gqa")
def groups_without_output_projection(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The merged heads are returned without W_o."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V), weights


@wrong("grouped_query_attention", "A44", "A45", section="reshape")
def groups_reshaped_there_and_back(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Heads are split and merged by reshape alone."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    T, D = X.shape[-2], X.shape[-1] // n_heads
    Q = (X @ W_q).reshape(*X.shape[:-2], n_heads, T, D)
    K = repeat_kv((X @ W_k).reshape(*X.shape[:-2], n_kv_heads, T, D), n_rep)
    V = repeat_kv((X @ W_v).reshape(*X.shape[:-2], n_kv_heads, T, D), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return (weights @ V).reshape(X.shape) @ W_o, weights


@wrong("grouped_query_attention", "A51", section="write-gqa")
def keys_for_values_in_groups(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """W_k and W_v have changed places."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A11", section="masks")
def mask_of_groups_ignored(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The mask is accepted but never used."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A4", section="masks")
def mask_of_groups_inverted(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """True is read as hidden."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -1e30, scores)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="masks")
def one_mask_for_all_groups(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """All heads get the mask of the first one."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = mask if mask.ndim == 2 else mask[..., :1, :, :]
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A16", section="masks")
def mask_against_grouped_scores(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The mask is applied to scores with separate axes for KV heads and groups, where its axes mean something else."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    Q = Q.reshape(*Q.shape[:-3], n_kv_heads, n_rep, *Q.shape[-2:])
    K = split_heads(X @ W_k, n_kv_heads)[..., None, :, :]
    V = split_heads(X @ W_v, n_kv_heads)[..., None, :, :]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    out = (weights @ V).reshape(*X.shape[:-2], n_heads, X.shape[-2], -1)
    return merge_heads(out) @ W_o, weights.reshape(*out.shape[:-1], -1)


@wrong("grouped_query_attention", section="write-gqa")
def weights_left_in_groups(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The weights keep separate axes for KV heads and groups."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    Q = Q.reshape(*Q.shape[:-3], n_kv_heads, n_rep, *Q.shape[-2:])
    K = split_heads(X @ W_k, n_kv_heads)[..., None, :, :]
    V = split_heads(X @ W_v, n_kv_heads)[..., None, :, :]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        shape = (*scores.shape[:-4], n_heads, *scores.shape[-2:])
        scores = np.where(np.broadcast_to(mask, shape).reshape(scores.shape), scores, -np.inf)
    weights = softmax(scores)
    out = (weights @ V).reshape(*X.shape[:-2], n_heads, X.shape[-2], -1)
    return merge_heads(out) @ W_o, weights


@wrong("grouped_query_attention", section="divisible")
def left_over_heads_take_the_last(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Query heads left over by the division use the last KV head instead of raising ValueError."""
    kv = np.minimum(np.arange(n_heads) // max(1, n_heads // n_kv_heads), n_kv_heads - 1)
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_kv_heads)[..., kv, :, :]
    V = split_heads(X @ W_v, n_kv_heads)[..., kv, :, :]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="divisible", variant_of="left_over_heads_take_the_last")
def left_over_heads_spread(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Groups of unequal size are made where n_heads is not a multiple, instead of raising ValueError."""
    kv = np.arange(n_heads) * n_kv_heads // n_heads
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_kv_heads)[..., kv, :, :]
    V = split_heads(X @ W_v, n_kv_heads)[..., kv, :, :]
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="divisible")
def groups_guarded_by_assert(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """An assert guards the numbers of heads, and that raises AssertionError instead of ValueError."""
    assert n_heads % n_kv_heads == 0
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", section="write-gqa")
def weights_of_groups_averaged(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The weights come back averaged over the heads."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights.mean(axis=-3)


@wrong("grouped_query_attention", section="write-gqa", variant_of="weights_of_groups_averaged")
def weights_averaged_within_groups(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The weights come back averaged over the heads of each group."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    kept = weights.reshape(*weights.shape[:-3], n_kv_heads, n_rep, *weights.shape[-2:]).mean(axis=-3)
    return merge_heads(weights @ V) @ W_o, kept


@wrong("grouped_query_attention", section="write-gqa")
def no_weights_of_groups(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Only the output is returned, without the weights."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o


@wrong("grouped_query_attention", "A12", section="how-to-work")
def scale_folded_into_w_q_in_place(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """W_q is divided by sqrt(D) in place, so the caller's matrix is changed."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    W_q /= math.sqrt(X.shape[-1] // n_heads)
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("grouped_query_attention", "A26", section="write-gqa")
def exponentials_not_shifted(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """The softmax written out here does not shift its rows, so large scores give NaN."""
    if n_heads % n_kv_heads:
        raise ValueError("n_heads is not a multiple of n_kv_heads")
    n_rep = n_heads // n_kv_heads
    Q = split_heads(X @ W_q, n_heads)
    K = repeat_kv(split_heads(X @ W_k, n_kv_heads), n_rep)
    V = repeat_kv(split_heads(X @ W_v, n_kv_heads), n_rep)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ V) @ W_o, weights
