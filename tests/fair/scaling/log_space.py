"""Logarithms of the weights throughout: the slope and the entropy by log-sum-exp (C11), powers of 2 inside (C12)."""
import numpy as np


def log_softmax(x):
    top = np.max(x, axis=-1, keepdims=True)
    return x - (top + np.log(np.exp(x - top).sum(axis=-1, keepdims=True)))


def softmax_jacobian(p):
    with np.errstate(divide="ignore"):
        logs = np.log(p)
    product = np.exp(logs[..., :, None] + logs[..., None, :])
    return np.eye(p.shape[-1]) * p[..., :, None] - product


def softmax_backward(p, grad_p):
    top = grad_p.max(axis=-1, keepdims=True)
    return p * ((grad_p - top) - (p * (grad_p - top)).sum(axis=-1, keepdims=True))


def attention_backward(Q, K, V, grad_out, mask=None):
    c = 1 / np.sqrt(Q.shape[-1])
    s = (Q * c) @ K.swapaxes(-1, -2)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    p = np.exp2(log_softmax(s) * np.log2(np.e))
    grad_out_dot_out = (grad_out * (p @ V)).sum(axis=-1, keepdims=True)
    g = p * (grad_out @ V.swapaxes(-1, -2) - grad_out_dot_out) * c
    return g @ K, g.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ grad_out


def attention_entropy(weights):
    return np.log(2) * -(weights * np.log2(np.where(weights > 0, weights, 1))).sum(axis=-1)


def log_n_scale(n, n_train):
    return np.log1p(np.asarray(n) - 1) / np.log1p(n_train - 1)
