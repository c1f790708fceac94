"""Wrong versions of ``multi_head_attention`` that go astray in the numbers: scale, softmax, precision."""

import math

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong
from attnlab.multihead import merge_heads, softmax, split_heads


@wrong("multi_head_attention", "A35", section="write-mha")
def scaled_by_width_of_model(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The scores are divided by sqrt(d_model) instead of sqrt(D)."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(X.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A33", section="write-mha")
def heads_not_scaled(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The scores are not divided by sqrt(D)."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A34", section="write-mha")
def divided_by_width_of_head(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The scores are divided by D instead of its square root."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A36", section="write-mha", variant_of="scaled_by_width_of_model")
def scaled_by_number_of_heads(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The scores are divided by the root of the number of heads."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(n_heads)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A34", section="write-mha", variant_of="divided_by_width_of_head")
def scaled_twice(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The scores are divided by sqrt(D) twice, once in the queries and once in the product."""
    Q = split_heads(X @ W_q, n_heads) / math.sqrt(X.shape[-1] // n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A25", section="write-mha")
def one_unit_for_all_heads(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Softmax runs over heads and keys together, so all heads of a query share one unit of weight."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.moveaxis(scores, -3, -2)
    weights = softmax(weights.reshape(*weights.shape[:-2], -1)).reshape(weights.shape)
    weights = np.moveaxis(weights, -2, -3)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A24", section="write-mha")
def softmax_over_the_heads(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Softmax runs over the heads, so the heads compete for each key."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    weights = np.moveaxis(softmax(np.moveaxis(scores, -3, -1)), -1, -3)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A24", section="write-mha", variant_of="softmax_over_the_heads")
def softmax_over_the_queries(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Softmax runs down the columns, so each key shares itself out among the queries."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    weights = softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A54", section="write-mha")
def head_and_query_confused(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Heads and queries change places when the scores are flattened into rows and unflattened."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores).swapaxes(-3, -2).reshape(scores.shape)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", section="write-mha")
def first_heads_weights_for_all(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """All heads average their values with the weights of the first head."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights[..., :1, :, :] @ V) @ W_o, weights


@wrong("multi_head_attention", "A26", section="write-mha")
def plain_exponentials(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The softmax written out here does not shift its rows, so large scores give NaN."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A23", section="write-mha")
def rounded_to_half_precision(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The scores are rounded to float16, which keeps three digits."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores.astype(np.float16).astype(np.float64))
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A12", section="how-to-work")
def scale_folded_into_the_matrix(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """W_q is divided by sqrt(D) in place, so the caller's matrix is changed."""
    W_q /= math.sqrt(X.shape[-1] // n_heads)
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights
