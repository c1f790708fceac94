"""The scale sits on the queries, d^-1/4 on both in the end; masks are a large negative number (C5, C15)."""
import numpy as np


def softmax(x):
    z = np.exp(x - x.max(-1)[..., None])
    return z / z.sum(-1)[..., None]


def softmax_jacobian(p):
    n = p.shape[-1]
    J = -p[..., :, None] * p[..., None, :]
    J[..., np.arange(n), np.arange(n)] += p
    return J


def softmax_backward(p, grad_p):
    weighted = p * grad_p
    return weighted - p * weighted.sum(axis=-1, keepdims=True)


def attention_backward(Q, K, V, grad_out, mask=None):
    f = Q.shape[-1] ** 0.25
    q, k = Q / f, K / f
    s = q @ k.swapaxes(-2, -1)
    if mask is not None:
        s = np.where(mask, s, -1e30)
    p = softmax(s)
    g = softmax_backward(p, grad_out @ V.swapaxes(-2, -1))
    return g @ k / f, g.swapaxes(-2, -1) @ q / f, p.swapaxes(-2, -1) @ grad_out


def attention_entropy(weights):
    return -(weights * np.log(np.clip(weights, 1e-300, None))).sum(-1) if weights.dtype == np.float64 else -(
        weights * np.log(np.clip(weights, 1e-37, None))).sum(-1)


def log_n_scale(n, n_train):
    return np.log(n) * (1 / np.log(n_train))
