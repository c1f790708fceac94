"""The width is read from axis 1, the number of queries in a batch."""
# fails: attention_backward
# passes: softmax_jacobian softmax_backward attention_entropy log_n_scale
import math
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    return p[..., :, None] * np.eye(p.shape[-1]) - p[..., :, None] * p[..., None, :]


def softmax_backward(p, grad_p):
    return p * (grad_p - (p * grad_p).sum(-1, keepdims=True))


def attention_backward(Q, K, V, grad_out, mask=None):
    """The width is read from axis 1, the number of queries in a batch."""
    root = math.sqrt(Q.shape[1])
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
