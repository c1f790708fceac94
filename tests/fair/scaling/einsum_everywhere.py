"""Every product and every sum is an einsum (C1)."""
import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.einsum("...n->...", e)[..., None]


def softmax_jacobian(p):
    return np.einsum("...i,ij->...ij", p, np.eye(p.shape[-1])) - np.einsum("...i,...j->...ij", p, p)


def softmax_backward(p, grad_p):
    return p * grad_p - p * np.einsum("...j,...j->...", p, grad_p)[..., None]


def attention_backward(Q, K, V, grad_out, mask=None):
    c = 1 / np.sqrt(Q.shape[-1])
    s = c * np.einsum("...id,...jd->...ij", Q, K)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    p = softmax(s)
    g = c * softmax_backward(p, np.einsum("...iv,...jv->...ij", grad_out, V))
    return (
        np.einsum("...ij,...jd->...id", g, K),
        np.einsum("...ij,...id->...jd", g, Q),
        np.einsum("...ij,...iv->...jv", p, grad_out),
    )


def attention_entropy(weights):
    return -np.einsum("...n,...n->...", weights, np.log(weights + (weights == 0)))


def log_n_scale(n, n_train):
    return np.log2(n) / np.log2(n_train)
