"""The way back goes through the Jacobian, one row of it at a time, so memory stays linear; attention uses it whole."""
import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    rows = []
    for i in range(p.shape[-1]):
        unit = np.zeros(p.shape[-1])
        unit[i] = 1
        rows.append(p[..., i : i + 1] * (unit - p))
    return np.stack(rows, axis=-2)


def softmax_backward(p, grad_p):
    out = np.empty(p.shape)
    for i in range(p.shape[-1]):
        row = -p[..., i : i + 1] * p
        row[..., i] += p[..., i]
        out[..., i] = (row * grad_p).sum(axis=-1)
    return out


def attention_backward(Q, K, V, grad_out, mask=None):
    root = np.sqrt(Q.shape[-1])
    scores = Q @ K.swapaxes(-1, -2) / root
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    p = softmax(scores)
    grad_p = grad_out @ V.swapaxes(-1, -2)
    grad_s = (softmax_jacobian(p) @ grad_p[..., None])[..., 0] / root
    return grad_s @ K, grad_s.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ grad_out


def attention_entropy(weights):
    total = np.zeros(weights.shape[:-1])
    for j in range(weights.shape[-1]):
        w = weights[..., j]
        total = total - w * np.log(np.where(w > 0, w, 1))
    return total


def log_n_scale(n, n_train):
    return np.log10(n) / np.log10(n_train)
