"""numpy.ma hides what is hidden, and masked arrays are returned (C46)."""
import numpy as np
import numpy.ma as ma


def softmax_jacobian(p):
    return ma.asarray(p)[..., None] * (np.eye(p.shape[-1]) - p[..., None, :])


def softmax_backward(p, grad_p):
    mean = ma.average(ma.asarray(grad_p), axis=-1, weights=p)
    return p * (grad_p - np.asarray(mean)[..., None])


def attention_backward(Q, K, V, grad_out, mask=None):
    root = np.sqrt(Q.shape[-1])
    s = ma.asarray(Q @ K.swapaxes(-1, -2) / root)
    if mask is not None:
        s = ma.masked_where(~np.broadcast_to(mask, s.shape), s)
    e = ma.exp(s - s.max(axis=-1, keepdims=True))
    p = (e / e.sum(axis=-1, keepdims=True)).filled(0)
    g = p * (grad_out @ V.swapaxes(-1, -2))
    g = (g - p * g.sum(axis=-1, keepdims=True)) / root
    return ma.asarray(g @ K), g.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ grad_out


def attention_entropy(weights):
    return -(weights * ma.log(weights).filled(0)).sum(axis=-1)


def log_n_scale(n, n_train):
    return ma.log(n) / np.log(n_train)
