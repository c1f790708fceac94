"""Prints, warns, logs to stderr; the naive entropy with its NaN swept up. None of it costs anything."""
import sys
import warnings

import numpy as np

print("loading")


def softmax(x):
    warnings.warn("softmax")
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    print("jacobian", p.shape)
    return p[..., None] * np.eye(p.shape[-1]) - p[..., None] @ p[..., None, :]


def softmax_backward(p, grad_p):
    print("backward", file=sys.stderr)
    return p * (grad_p - (p[..., None, :] @ grad_p[..., None])[..., 0])


def attention_backward(Q, K, V, grad_out, mask=None):
    K_T = np.swapaxes(K, -1, -2)
    scores = np.matmul(Q, K_T) / np.sqrt(K.shape[-1])
    if mask is None:
        mask = np.ones(scores.shape, dtype=bool)
    scores = np.where(mask, scores, np.finfo(scores.dtype).min)
    p = softmax(scores)
    assert np.allclose(p.sum(axis=-1), 1, atol=1e-4)
    grad_scores = softmax_backward(p, np.matmul(grad_out, np.swapaxes(V, -1, -2)))
    grad_scores = np.where(mask, grad_scores, 0) / np.sqrt(K.shape[-1])
    return np.matmul(grad_scores, K), np.swapaxes(np.matmul(np.swapaxes(Q, -1, -2), grad_scores), -1, -2), np.matmul(
        np.swapaxes(p, -1, -2), grad_out)


def attention_entropy(weights):
    return np.nan_to_num(-weights * np.log(weights)).sum(axis=-1)


def log_n_scale(n, n_train):
    print(n)
    return np.log(n) / np.log(n_train)
