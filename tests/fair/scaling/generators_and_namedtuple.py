"""Three things that unpack: a generator here, a namedtuple inside; extra keyword arguments with defaults (C28, C29)."""
from collections import namedtuple

import numpy as np

Gradients = namedtuple("Gradients", "Q K V")


def softmax_jacobian(weights, *, eye=np.eye):
    return np.array([p[:, None] * (eye(len(p)) - p) for p in weights.reshape(-1, weights.shape[-1])]).reshape(
        *weights.shape, weights.shape[-1])


def softmax_backward(weights, upstream, axis=-1):
    return weights * (upstream - np.sum(weights * upstream, axis=axis, keepdims=True))


def backward(Q, K, V, G, mask, scale):
    s = scale * (Q @ K.swapaxes(-1, -2))
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    dS = scale * softmax_backward(p, G @ V.swapaxes(-1, -2))
    return Gradients(dS @ K, dS.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ G)


def attention_backward(Q, K, V, G, mask=None, scale=None, verbose=False):
    gradients = backward(Q, K, V, G, mask, Q.shape[-1] ** -0.5 if scale is None else scale)
    return (gradient for gradient in gradients)


def attention_entropy(p, eps=0.0):
    with np.errstate(all="ignore"):
        terms = p * np.log(p + eps)
    return -np.nansum(terms, axis=-1)


def log_n_scale(length, trained_on, clamp=False):
    factor = np.log(length) / np.log(trained_on)
    return np.maximum(factor, 1) if clamp else factor
