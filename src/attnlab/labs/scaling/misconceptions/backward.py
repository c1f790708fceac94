"""Wrong versions of ``softmax_backward``."""

import numpy as np

from attnlab.labs.scaling.misconceptions.registry import wrong

_CACHE = {}


@wrong("softmax_backward", "A115", section="backward")
def mean_not_subtracted(p, grad_p):
    """p * grad_p is returned; the weighted mean is not subtracted."""
    return p * grad_p


@wrong("softmax_backward", "A115", section="backward")
def diagonal_of_the_jacobian_only(p, grad_p):
    """p (1 - p) grad_p is returned, which is the diagonal of the Jacobian alone."""
    return p * (1 - p) * grad_p


@wrong("softmax_backward", section="backward")
def plain_mean_subtracted(p, grad_p):
    """The plain mean of the gradients is subtracted instead of the one weighted by p."""
    mean = grad_p.mean(axis=-1, keepdims=True)
    return p * (grad_p - mean)


@wrong("softmax_backward", section="backward")
def plain_sum_subtracted(p, grad_p):
    """The sum of the gradients is subtracted, without the weights."""
    mean = grad_p.sum(axis=-1, keepdims=True)
    return p * (grad_p - mean)


@wrong("softmax_backward", section="backward")
def result_not_weighted(p, grad_p):
    """The weighted mean is subtracted, but what is left is not multiplied by p."""
    mean = (p * grad_p).sum(axis=-1, keepdims=True)
    return grad_p - mean


@wrong("softmax_backward", section="backward")
def mean_subtracted_after_weighting(p, grad_p):
    """The weighted mean is subtracted from p * grad_p, so it is not multiplied by p itself."""
    mean = (p * grad_p).sum(axis=-1, keepdims=True)
    return p * grad_p - mean


@wrong("softmax_backward", section="backward")
def mean_added(p, grad_p):
    """The weighted mean is added instead of subtracted."""
    mean = (p * grad_p).sum(axis=-1, keepdims=True)
    return p * (grad_p + mean)


@wrong("softmax_backward", section="backward")
def gradient_of_the_other_sign(p, grad_p):
    """The gradient is subtracted from the mean, so the sign is wrong."""
    mean = (p * grad_p).sum(axis=-1, keepdims=True)
    return p * (mean - grad_p)


@wrong("softmax_backward", "A24", "A119", section="backward")
def one_mean_for_all_rows(p, grad_p):
    """The sum runs over the whole array, so rows share one mean."""
    mean = (p * grad_p).sum()
    return p * (grad_p - mean)


@wrong("softmax_backward", "A24", "A119", section="backward")
def mean_over_first_axis(p, grad_p):
    """The sum runs over the first axis, which is the last one only for a single row."""
    mean = (p * grad_p).sum(axis=0, keepdims=True)
    return p * (grad_p - mean)


@wrong("softmax_backward", "A119", "A29", section="backward")
def mean_without_keepdims(p, grad_p):
    """The sum loses its axis, so rows meet each other's means or shapes do not fit."""
    mean = (p * grad_p).sum(axis=-1)
    return p * (grad_p - mean)


@wrong("softmax_backward", "A31", section="backward")
def weights_taken_for_scores_again(p, grad_p):
    """The weights are put through softmax once more."""
    p = np.exp(p - p.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    mean = (p * grad_p).sum(axis=-1, keepdims=True)
    return p * (grad_p - mean)


@wrong("softmax_backward", section="backward")
def whole_jacobian_built(p, grad_p):
    """The Jacobian of every row is built and multiplied, which takes n x n numbers for each."""
    delta = np.eye(p.shape[-1])
    jacobian = p[..., :, None] * (delta - p[..., None, :])
    return (jacobian @ grad_p[..., None])[..., 0]


@wrong("softmax_backward", section="backward", variant_of="whole_jacobian_built")
def jacobian_built_row_by_row(p, grad_p):
    """The Jacobian is built for one row at a time, which still takes n x n numbers."""
    grad_s = np.empty(np.broadcast_shapes(p.shape, grad_p.shape))
    for index in np.ndindex(p.shape[:-1]):
        grad_s[index] = (np.diag(p[index]) - np.outer(p[index], p[index])) @ grad_p[index]
    return grad_s


@wrong("softmax_backward", "A72", section="how-to-work")
def gradients_in_single_precision(p, grad_p):
    """float64 gradients are rounded to float32 before the mean is subtracted, which large ones do not survive."""
    p, grad_p = p.astype(np.float32), grad_p.astype(np.float32)
    mean = (p * grad_p).sum(axis=-1, keepdims=True)
    return p * (grad_p - mean)


@wrong("softmax_backward", "A12", section="how-to-work")
def gradient_changed_in_place(p, grad_p):
    """The mean is subtracted in place, so the caller's gradient is changed."""
    grad_p -= (p * grad_p).sum(axis=-1, keepdims=True)
    return p * grad_p


@wrong("softmax_backward", "A106", section="how-to-work", needs=("_CACHE = {}",))
def gradient_remembered_by_shape(p, grad_p):
    """The weighted mean is remembered by shape, so other gradients of the same shape get an old one."""
    if p.shape not in _CACHE:
        _CACHE[p.shape] = (p * grad_p).sum(axis=-1, keepdims=True)
    return p * (grad_p - _CACHE[p.shape])
