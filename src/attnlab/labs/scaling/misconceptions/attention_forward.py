"""Wrong versions of ``attention_backward`` whose weights are not those of the forward pass."""

import math

import numpy as np

from attnlab.labs.scaling.misconceptions.registry import wrong
from attnlab.scaling import softmax, softmax_backward


@wrong("attention_backward", "A33", section="scale-back")
def scaled_neither_way(Q, K, V, grad_out, mask=None):
    """Nothing is divided by sqrt(d_k), neither the scores nor their gradient."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p)
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A116", section="scale-back")
def scaled_on_the_way_back_only(Q, K, V, grad_out, mask=None):
    """The scores are not divided by sqrt(d_k), only their gradient is."""
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A34", "A40", section="scale-back")
def divided_by_d_k_both_ways(Q, K, V, grad_out, mask=None):
    """Scores and gradient are divided by d_k instead of its root."""
    scores = Q @ K.swapaxes(-1, -2) / Q.shape[-1]
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / Q.shape[-1]
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A36", section="scale-back")
def scaled_by_another_width(Q, K, V, grad_out, mask=None):
    """Scores and gradient are divided by the root of d_v, the width of the values."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(V.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(V.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A11", section="hidden")
def mask_ignored_on_the_way_back(Q, K, V, grad_out, mask=None):
    """The mask is not used at all."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A117", section="hidden")
def always_causal(Q, K, V, grad_out, mask=None):
    """The causal mask is applied whatever mask is given, and without one too."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    mask = np.tri(*scores.shape[-2:], dtype=bool)
    scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A4", section="hidden")
def true_taken_for_hidden(Q, K, V, grad_out, mask=None):
    """The mask is read the other way round: True hides."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, -np.inf, scores)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A7", section="hidden")
def hidden_scores_set_to_zero(Q, K, V, grad_out, mask=None):
    """Hidden scores become 0 instead of -inf, so hidden keys keep weight and gradient."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, 0)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A9", section="hidden")
def mask_added_to_scores(Q, K, V, grad_out, mask=None):
    """The mask is added to the scores as 0 and 1, so hidden keys lose only a factor e."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + mask
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A22", "A118", section="hidden")
def infinity_times_zero(Q, K, V, grad_out, mask=None):
    """The mask becomes (1 - mask) * -inf, which is NaN wherever the key is visible."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask.astype(int)) * -np.inf
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A5", section="hidden")
def weights_masked_after_softmax(Q, K, V, grad_out, mask=None):
    """Hidden weights are set to 0 after softmax, and the rest of the row no longer sums to 1."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    p = softmax(scores)
    if mask is not None:
        p = np.where(mask, p, 0)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A21", section="hidden")
def fill_of_ten_thousand(Q, K, V, grad_out, mask=None):
    """Hidden scores become -10000, and visible ones may lie as low."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -1e4)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A24", section="attention-backward")
def softmax_over_the_queries(Q, K, V, grad_out, mask=None):
    """The weights are normalised over the queries instead of the keys."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores.swapaxes(-1, -2)).swapaxes(-1, -2)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A26", section="attention-backward")
def exponentials_without_a_shift(Q, K, V, grad_out, mask=None):
    """The exponentials are taken of the scores as they are, and overflow."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = np.exp(scores)
    p = p / p.sum(axis=-1, keepdims=True)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V
