"""Wrong versions of ``multi_head_attention`` that go astray in what meets what, in the axes, or in what is returned."""

import math

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong
from attnlab.multihead import merge_heads, softmax, split_heads


@wrong("multi_head_attention", section="write-mha")
def no_output_projection(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The merged heads are returned without W_o."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V), weights


@wrong("multi_head_attention", "A48", section="write-mha")
def output_projection_transposed(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The merged heads are multiplied by the transpose of W_o."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o.T, weights


@wrong("multi_head_attention", "A48", section="write-mha")
def projections_transposed(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Tokens are multiplied by the transposes of W_q, W_k and W_v."""
    Q = split_heads(X @ W_q.T, n_heads)
    K = split_heads(X @ W_k.T, n_heads)
    V = split_heads(X @ W_v.T, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A48", section="write-mha", variant_of="projections_transposed")
def all_projections_transposed(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Every matrix is transposed, as torch.nn.Linear stores them."""
    Q = split_heads(X @ W_q.T, n_heads)
    K = split_heads(X @ W_k.T, n_heads)
    V = split_heads(X @ W_v.T, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o.T, weights


@wrong("multi_head_attention", section="write-mha", variant_of="keys_and_values_exchanged")
def keys_from_query_projection(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The keys are made with W_q, so the scores are symmetric."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_q, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A51", section="write-mha", variant_of="keys_and_values_exchanged")
def values_from_key_projection(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The values are made with W_k."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_k, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A51", section="write-mha")
def keys_and_values_exchanged(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """W_k and W_v have changed places."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_v, n_heads)
    V = split_heads(X @ W_k, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A51", "A49", section="write-mha", variant_of="keys_and_values_exchanged")
def queries_and_keys_exchanged(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """W_q and W_k have changed places, so rows belong to keys."""
    Q = split_heads(X @ W_k, n_heads)
    K = split_heads(X @ W_q, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", section="write-mha")
def tokens_themselves_as_values(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The heads average the tokens themselves, W_v is not used."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A44", "A45", section="reshape")
def reshaped_there_and_back(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Heads are split and merged by reshape alone: shapes fit, but heads hold stretches of tokens."""
    heads = (*X.shape[:-2], n_heads, X.shape[-2], X.shape[-1] // n_heads)
    Q = (X @ W_q).reshape(heads)
    K = (X @ W_k).reshape(heads)
    V = (X @ W_v).reshape(heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return (weights @ V).reshape(X.shape) @ W_o, weights


@wrong("multi_head_attention", "A45", section="reshape", variant_of="reshaped_there_and_back")
def merged_by_reshape_alone(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The heads are split rightly and merged by reshape alone."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return (weights @ V).reshape(X.shape) @ W_o, weights


@wrong("multi_head_attention", section="write-mha")
def one_wide_head(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The heads are never split: one head works on all columns, and its weights are repeated."""
    Q = X @ W_q
    K = X @ W_k
    V = X @ W_v
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask if mask.ndim == 2 else mask[..., 0, :, :], scores, -np.inf)
    weights = softmax(scores)
    return weights @ V @ W_o, np.repeat(weights[..., None, :, :], n_heads, axis=-3)


@wrong("multi_head_attention", section="write-mha")
def heads_see_their_columns_only(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The tokens are split before they are projected, so each head sees only its own columns of them."""
    D = X.shape[-1] // n_heads
    blocks = np.kron(np.eye(n_heads), np.ones((D, D)))
    Q = split_heads(X @ (W_q * blocks), n_heads)
    K = split_heads(X @ (W_k * blocks), n_heads)
    V = split_heads(X @ (W_v * blocks), n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", section="write-mha")
def weights_averaged_over_heads(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The weights come back averaged over the heads, as torch.nn.MultiheadAttention returns them by default."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights.mean(axis=-3)


@wrong("multi_head_attention", section="write-mha")
def heads_weights_first(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The pair comes back in the wrong order: weights first, output second."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights, merge_heads(weights @ V) @ W_o


@wrong("multi_head_attention", section="write-mha")
def no_weights_returned(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Only the output is returned, without the weights."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o


@wrong("multi_head_attention", section="write-mha")
def scores_in_place_of_weights(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The output is right but the scores come back in place of the weights."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, scores


@wrong("multi_head_attention", section="write-mha")
def residual_connection_added(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The input is added to the output, as around the layer of a transformer."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return X + merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A52", section="write-mha")
def batch_taken_for_time(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The axes are taken as (T, B, d_model), so tokens attend to other sequences of the batch."""
    if X.ndim > 2:
        X = X.swapaxes(-3, -2)
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None and mask.shape[-1] == scores.shape[-1]:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    out = merge_heads(weights @ V) @ W_o
    return (out.swapaxes(-3, -2) if X.ndim > 2 else out), weights


@wrong("multi_head_attention", section="write-mha")
def heads_one_by_one_without_batch(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The loop over the heads slices the rows of X instead of its columns, which suits no batch."""
    D = X.shape[-1] // n_heads
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    outs, maps = [], []
    for h in range(n_heads):
        own = slice(h * D, (h + 1) * D)
        scores = Q[:, own] @ K[:, own].T / math.sqrt(D)
        if mask is not None:
            scores = np.where(mask if mask.ndim == 2 else mask[h], scores, -np.inf)
        maps.append(softmax(scores))
        outs.append(maps[-1] @ V[:, own])
    return np.concatenate(outs, axis=-1) @ W_o, np.stack(maps)


@wrong("multi_head_attention", section="divisible")
def rest_of_the_width_cut(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Columns that the heads cannot share out evenly are cut off instead of raising ValueError."""
    d = X.shape[-1] // n_heads * n_heads
    Q = split_heads((X @ W_q)[..., :d], n_heads)
    K = split_heads((X @ W_k)[..., :d], n_heads)
    V = split_heads((X @ W_v)[..., :d], n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o[:d], weights
