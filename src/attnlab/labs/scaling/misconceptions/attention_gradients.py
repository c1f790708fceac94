"""Wrong versions of ``attention_backward`` whose weights are right, but not what is made of them."""

import math

import numpy as np

from attnlab.labs.scaling.misconceptions.registry import wrong
from attnlab.scaling import softmax, softmax_backward

_CACHE = {}


@wrong("attention_backward", "A116", section="scale-back")
def scaled_on_the_way_there_only(Q, K, V, grad_out, mask=None):
    """The gradient of the scores is not divided by sqrt(d_k), though the scores were."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p)
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A116", section="scale-back")
def scaled_twice_on_the_way_back(Q, K, V, grad_out, mask=None):
    """The gradient of the scores is divided by d_k, that is by the root twice."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / Q.shape[-1]
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A116", "A37", section="scale-back")
def multiplied_on_the_way_back(Q, K, V, grad_out, mask=None):
    """The gradient of the scores is multiplied by sqrt(d_k) instead of divided."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) * math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A116", section="scale-back")
def scale_reaches_one_of_the_two(Q, K, V, grad_out, mask=None):
    """Q is scaled before the product, and the gradient of Q is not scaled afterwards."""
    Q = Q / math.sqrt(Q.shape[-1])
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p)
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", section="attention-backward")
def softmax_skipped_on_the_way_back(Q, K, V, grad_out, mask=None):
    """The gradient of the weights is taken for that of the scores."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = grad_p / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", section="attention-backward")
def softmax_of_the_gradient(Q, K, V, grad_out, mask=None):
    """The gradient of the weights is put through softmax itself, as if the way back were the way there."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax(grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", section="attention-backward")
def softmax_carried_back_at_the_scores(Q, K, V, grad_out, mask=None):
    """The way back through softmax is given the scores in place of the weights."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(scores, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", section="attention-backward")
def grad_out_taken_for_ones(Q, K, V, grad_out, mask=None):
    """The gradient of the sum of all outputs is returned, whatever grad_out says."""
    grad_out = np.ones_like(grad_out)
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A49", section="attention-backward")
def weights_not_transposed(Q, K, V, grad_out, mask=None):
    """grad_V is p @ grad_out, with queries and keys in each other's place."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A49", section="attention-backward")
def grad_s_not_transposed(Q, K, V, grad_out, mask=None):
    """grad_K is grad_s @ Q, with queries and keys in each other's place."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s @ Q, grad_V


@wrong("attention_backward", "A51", section="attention-backward")
def gradients_of_Q_and_K_swapped(Q, K, V, grad_out, mask=None):
    """The gradient of K is returned first and that of Q second."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s.swapaxes(-1, -2) @ Q, grad_s @ K, grad_V


@wrong("attention_backward", section="attention-backward", variant_of="gradients_of_Q_and_K_swapped")
def gradient_of_V_first(Q, K, V, grad_out, mask=None):
    """The gradients are returned in the order in which they are found, that of V first."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_V, grad_s @ K, grad_s.swapaxes(-1, -2) @ Q


@wrong("attention_backward", "A47", section="attention-backward")
def all_axes_turned_round(Q, K, V, grad_out, mask=None):
    """.T turns all axes round, which is right without batch axes only."""
    scores = Q @ K.T / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.T @ grad_out
    grad_p = grad_out @ V.T
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.T @ Q, grad_V


@wrong("attention_backward", section="attention-backward")
def averaged_over_the_queries(Q, K, V, grad_out, mask=None):
    """The gradients are divided by the number of queries, as if the loss were a mean."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_out = grad_out / Q.shape[-2]
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A12", section="how-to-work")
def queries_scaled_in_place(Q, K, V, grad_out, mask=None):
    """The caller's queries are scaled in place."""
    Q /= math.sqrt(Q.shape[-1])
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p)
    return grad_s @ K / math.sqrt(Q.shape[-1]), grad_s.swapaxes(-1, -2) @ Q, grad_V


@wrong("attention_backward", "A106", section="how-to-work", needs=("_CACHE = {}",))
def weights_of_an_earlier_call(Q, K, V, grad_out, mask=None):
    """The weights are remembered by shape, so another call of the same shape is carried back through old ones."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    if scores.shape not in _CACHE:
        _CACHE[scores.shape] = softmax(scores)
    p = _CACHE[scores.shape]
    grad_V = p.swapaxes(-1, -2) @ grad_out
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V
