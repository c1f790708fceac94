"""Softmax over all keys, then the mask, then the rest made to sum to 1 again (C7); the mask as numbers."""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    return np.apply_along_axis(lambda w: np.diag(w) - np.outer(w, w), -1, p).reshape(*p.shape, p.shape[-1])


def softmax_backward(p, grad_p):
    return np.stack([p[..., i] * (grad_p[..., i] - (p * grad_p).sum(-1)) for i in range(p.shape[-1])], axis=-1)


def attention_backward(Q, K, V, grad_out, mask=None):
    root = Q.shape[-1] ** 0.5
    p = softmax(Q @ K.swapaxes(-1, -2) / root)
    if mask is not None:
        p = p * mask
        p = p / p.sum(axis=-1, keepdims=True)
    grad_s = softmax_backward(p, grad_out @ V.swapaxes(-1, -2)) / root
    return [grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ grad_out]


def attention_entropy(weights):
    return np.log(1 / np.where(weights > 0, weights, 1)).__mul__(weights).sum(axis=-1)


def log_n_scale(n, n_train):
    return np.log(n) / np.log(n_train) * 1.0
