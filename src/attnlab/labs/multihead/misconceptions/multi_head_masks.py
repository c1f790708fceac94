"""Wrong versions of ``multi_head_attention`` that go astray in what the mask does."""

import math

import numpy as np

from attnlab.labs.multihead.misconceptions.registry import wrong
from attnlab.multihead import merge_heads, softmax, split_heads

_MASKS = {}


@wrong("multi_head_attention", "A11", section="masks")
def mask_of_heads_ignored(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The mask is accepted but never used."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A4", section="masks")
def mask_of_heads_inverted(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """True is read as hidden, as in torch.nn.MultiheadAttention."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -1e30, scores)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A5", section="masks")
def mask_of_heads_after_softmax(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The mask is applied to the weights after softmax, so rows sum to less than 1."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    weights = softmax(scores)
    if mask is not None:
        weights = weights * mask
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A7", section="masks")
def hidden_scores_zeroed(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Hidden scores become 0 instead of -inf."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, 0.0)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A9", section="masks")
def mask_added_as_bias(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The mask is added to the scores as 0 and 1."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A21", section="masks")
def hidden_scores_of_ten_thousand(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Hidden scores become -10000, which is not below every legal score."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e4)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A15", section="masks")
def three_axes_taken_for_batch(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """A mask of three axes is taken for one mask to a sequence, and gets a head axis it already has."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = mask[:, None] if mask.ndim == 3 else mask
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A15", section="masks", variant_of="three_axes_taken_for_batch")
def head_axis_always_inserted(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Every mask gets a head axis, also one that has it already."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask[..., None, :, :], scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", section="masks")
def mask_of_first_head_for_all(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """All heads get the mask of the first one."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = mask if mask.ndim == 2 else mask[..., :1, :, :]
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A15", section="masks")
def mask_of_first_sequence_for_all(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """All sequences get the mask of the first one."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        while mask.ndim > 3:
            mask = mask[0]
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A15", "A46", section="masks", variant_of="mask_of_first_sequence_for_all")
def masks_of_sequences_tiled(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Heads and batch are folded into one axis and the masks tiled in another order, so sequences get each other's."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        mask = np.broadcast_to(mask, (*(scores.shape[:-3] if mask.ndim > 3 else ()), *mask.shape[-3:]))
        if mask.ndim > 3 and mask.shape[-3] == 1:
            rows = mask.reshape(-1, *mask.shape[-2:])
            mask = np.tile(rows, (n_heads, 1, 1)).reshape(*scores.shape[:-2], *mask.shape[-2:])
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A16", section="masks")
def mask_must_have_every_axis(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """scores[~mask] needs a mask of exactly the scores' shape and does not broadcast."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores[~mask] = -np.inf
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A17", section="masks")
def only_plain_masks_used(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """A mask is used only when it has exactly two axes."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None and mask.ndim == 2:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A14", section="masks")
def mask_of_heads_transposed(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The mask is transposed, so it hides queries from keys."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask.swapaxes(-1, -2), scores, -1e30)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A17", section="masks")
def causal_in_any_case(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The future is hidden as well, whatever the mask says."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e29)
    T = scores.shape[-1]
    weights = softmax(np.where(np.tri(T, dtype=bool), scores, -1e30))
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", section="masks")
def mask_of_heads_required(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The mask is used without asking whether there is one."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    scores = np.where(mask[..., :, :], scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights


@wrong("multi_head_attention", "A11", section="masks")
def weights_returned_without_mask(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The output is right but the returned weights are those without the mask."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    open_weights = softmax(scores)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, open_weights


@wrong("multi_head_attention", "A106", needs=("_MASKS = {}",), section="how-to-work")
def first_mask_kept(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """The first mask of each shape is kept for every later one of that shape."""
    Q = split_heads(X @ W_q, n_heads)
    K = split_heads(X @ W_k, n_heads)
    V = split_heads(X @ W_v, n_heads)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(_MASKS.setdefault(mask.shape, mask.copy()), scores, -np.inf)
    weights = softmax(scores)
    return merge_heads(weights @ V) @ W_o, weights
