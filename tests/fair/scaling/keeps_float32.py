"""Every constant takes the dtype of the inputs, so float32 stays float32 (C18)."""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True), dtype=x.dtype)
    return e / e.sum(axis=-1, keepdims=True, dtype=x.dtype)


def softmax_jacobian(p):
    J = p[..., None] * (np.eye(p.shape[-1], dtype=p.dtype) - p[..., None, :])
    assert J.dtype == p.dtype
    return J


def softmax_backward(p, grad_p):
    return p * (grad_p - (p * grad_p).sum(axis=-1, keepdims=True, dtype=p.dtype))


def attention_backward(Q, K, V, grad_out, mask=None):
    dtype = Q.dtype
    c = dtype.type(1 / np.sqrt(Q.shape[-1]))
    s = Q @ K.swapaxes(-1, -2) * c
    if mask is not None:
        s = np.where(mask, s, dtype.type(-np.inf))
    p = softmax(s)
    g = softmax_backward(p, grad_out @ V.swapaxes(-1, -2)) * c
    assert g.dtype == dtype
    return g @ K, g.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ grad_out


def attention_entropy(weights):
    one = weights.dtype.type(1)
    return -(weights * np.log(np.where(weights > 0, weights, one))).sum(axis=-1, dtype=weights.dtype)


def log_n_scale(n, n_train):
    n = np.asarray(n)
    if n.dtype == np.float32:
        return np.log(n) / np.float32(np.log(n_train))
    return np.log(n) / np.log(n_train)
