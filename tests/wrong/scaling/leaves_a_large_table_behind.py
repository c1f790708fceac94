"""Right, but each call keeps an n x n table of its own for the next one."""
# fails: softmax_backward
# passes: softmax_jacobian attention_backward attention_entropy log_n_scale
import math
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    return p[..., :, None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]


_tables = []


def softmax_backward(p, grad_p):
    _tables[:] = [np.ones((p.shape[-1], p.shape[-1]), dtype=np.float32)]
    return p * (grad_p - (p * grad_p).sum(-1, keepdims=True))


def attention_backward(Q, K, V, grad_out, mask=None):
    root = math.sqrt(Q.shape[-1])
    s = Q @ K.swapaxes(-1, -2) / root
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    p = softmax(s)
    dV = p.swapaxes(-1, -2) @ grad_out
    ds = softmax_backward(p, grad_out @ V.swapaxes(-1, -2)) / root
    return ds @ K, ds.swapaxes(-1, -2) @ Q, dV


def attention_entropy(weights):
    return -(weights * np.log(np.where(weights > 0, weights, 1))).sum(-1)


def log_n_scale(n, n_train):
    return np.log(n) / np.log(n_train)
