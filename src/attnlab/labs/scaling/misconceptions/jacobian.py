"""Wrong versions of ``softmax_jacobian``."""

import numpy as np

from attnlab.labs.scaling.misconceptions.registry import wrong

_CACHE = {}


@wrong("softmax_jacobian", "A115", section="slope")
def slopes_beside_the_diagonal_forgotten(p):
    """Only p_i (1 - p_i) stands on the diagonal; everything beside it is 0."""
    delta = np.eye(p.shape[-1])
    return p[..., :, None] * (1 - p[..., None, :]) * delta


@wrong("softmax_jacobian", section="slope")
def weights_on_the_diagonal_alone(p):
    """diag(p) is returned; the product p p^T is not subtracted."""
    delta = np.eye(p.shape[-1])
    return p[..., :, None] * delta


@wrong("softmax_jacobian", section="slope")
def product_alone(p):
    """-p p^T is returned; the delta is forgotten."""
    return p[..., :, None] * -p[..., None, :]


@wrong("softmax_jacobian", section="slope")
def jacobian_of_the_other_sign(p):
    """p p^T - diag(p) is returned, so every slope has the wrong sign."""
    delta = np.eye(p.shape[-1])
    return p[..., :, None] * (p[..., None, :] - delta)


@wrong("softmax_jacobian", section="slope")
def slopes_beside_the_diagonal_positive(p):
    """The product is added instead of subtracted beside the diagonal, as if raising a score raised every weight."""
    delta = np.eye(p.shape[-1])
    return p[..., :, None] * np.abs(delta - p[..., None, :])


@wrong("softmax_jacobian", section="slope")
def rows_not_multiplied_by_the_weight(p):
    """delta_ij - p_j is returned; the factor p_i is forgotten."""
    delta = np.eye(p.shape[-1])
    return delta - p[..., None, :] + 0 * p[..., :, None]


@wrong("softmax_jacobian", section="slope")
def diagonal_left_at_zero(p):
    """The slopes beside the diagonal are right, the diagonal itself is 0."""
    delta = np.eye(p.shape[-1])
    return p[..., :, None] * (0 - p[..., None, :]) * (1 - delta)


@wrong("softmax_jacobian", "A31", section="slope")
def weights_taken_for_scores(p):
    """The weights are put through softmax once more before the Jacobian is taken."""
    p = np.exp(p - p.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    delta = np.eye(p.shape[-1])
    return p[..., :, None] * (delta - p[..., None, :])


@wrong("softmax_jacobian", section="slope")
def for_a_single_row_only(p):
    """np.diag and np.outer are applied to the whole array, which is right for a single row only."""
    return np.diag(p) - np.outer(p, p)


@wrong("softmax_jacobian", section="slope", variant_of="for_a_single_row_only")
def for_a_single_row_as_diagflat(p):
    """np.diagflat and np.outer are applied to the whole array, which makes one large matrix of all rows."""
    return np.diagflat(p) - np.outer(p, p)


@wrong("softmax_jacobian", "A52", section="slope")
def jacobian_of_the_first_row_for_all(p):
    """The Jacobian of the first row is returned for every row."""
    first = p.reshape(-1, p.shape[-1])[0]
    delta = np.eye(p.shape[-1])
    jacobian = first[:, None] * (delta - first[None, :])
    return np.broadcast_to(jacobian, (*p.shape, p.shape[-1])).copy()


@wrong("softmax_jacobian", section="slope")
def jacobian_averaged_over_rows(p):
    """One Jacobian is returned for all rows, the mean of theirs."""
    delta = np.eye(p.shape[-1])
    jacobian = p[..., :, None] * (delta - p[..., None, :])
    return jacobian.reshape(-1, *jacobian.shape[-2:]).mean(axis=0)


@wrong("softmax_jacobian", "A120", section="how-to-work")
def slopes_in_whole_numbers(p):
    """The slopes are written into an array of integers, which cuts all of them to 0."""
    delta = np.eye(p.shape[-1])
    jacobian = np.zeros((*p.shape, p.shape[-1]), dtype=int)
    jacobian[...] = p[..., :, None] * (delta - p[..., None, :])
    return jacobian


@wrong("softmax_jacobian", "A106", section="how-to-work", needs=("_CACHE = {}",))
def jacobian_remembered_by_shape(p):
    """The result is remembered by shape, so other weights of the same shape get an old answer."""
    if p.shape not in _CACHE:
        delta = np.eye(p.shape[-1])
        _CACHE[p.shape] = p[..., :, None] * (delta - p[..., None, :])
    return _CACHE[p.shape]


@wrong("softmax_jacobian", "A12", section="how-to-work")
def weights_normalised_in_place(p):
    """The caller's weights are changed on the way."""
    p /= 2
    delta = np.eye(p.shape[-1]) / 2
    return 4 * p[..., :, None] * (delta - p[..., None, :])
