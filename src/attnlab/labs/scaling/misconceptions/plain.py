"""The functions of lab ``scaling``, right, in the spelling in which their wrong versions are written.

A wrong version is taken for a set of edits of its function here, so that two of them can be done at once.
"""

import math

import numpy as np

from attnlab.scaling import softmax


def softmax_jacobian(p):
    """Multiply row and column, take the product away from the diagonal."""
    delta = np.eye(p.shape[-1])  # (n, n)
    return p[..., :, None] * (delta - p[..., None, :])  # (..., n, 1) * ((n, n) - (..., 1, n)) -> (..., n, n)


def softmax_backward(p, grad_p):
    """Take the weighted mean away, weight what is left."""
    mean = (p * grad_p).sum(axis=-1, keepdims=True)  # (..., 1)
    return p * (grad_p - mean)  # (..., n)


def attention_backward(Q, K, V, grad_out, mask=None):
    """Go forward to the weights, then back through average, softmax, scale and product."""
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(Q.shape[-1])  # (..., T_q, d_k) @ (..., d_k, T_k) -> (..., T_q, T_k)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # (..., T_q, T_k)
    p = softmax(scores)  # (..., T_q, T_k)
    grad_V = p.swapaxes(-1, -2) @ grad_out  # (..., T_k, T_q) @ (..., T_q, d_v) -> (..., T_k, d_v)
    grad_p = grad_out @ V.swapaxes(-1, -2)  # (..., T_q, d_v) @ (..., d_v, T_k) -> (..., T_q, T_k)
    grad_s = softmax_backward(p, grad_p) / math.sqrt(Q.shape[-1])  # (..., T_q, T_k)
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, grad_V  # (..., T_q, d_k), (..., T_k, d_k), (..., T_k, d_v)


def attention_entropy(weights):
    """Give a weight of 0 the logarithm of 1."""
    logs = np.log(np.where(weights > 0, weights, 1))  # (..., n)
    return -(weights * logs).sum(axis=-1)  # (..., n) -> (...)


def log_n_scale(n, n_train):
    """Divide the logarithms."""
    return np.log(n) / np.log(n_train)  # (...)
