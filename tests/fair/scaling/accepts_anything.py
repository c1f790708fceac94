"""Arguments are turned into arrays first; masks may be numbers; results are read-only views (C21, C22, C27)."""
import math

import numpy as np


def frozen(array):
    array = np.asarray(array)
    array.setflags(write=False)
    return array


def softmax_jacobian(p):
    p = np.asarray(p, dtype=float)
    return frozen(p[..., None] * (np.eye(p.shape[-1]) - p[..., None, :]))


def softmax_backward(p, grad_p):
    p, grad_p = np.asarray(p, dtype=float), np.asarray(grad_p, dtype=float)
    return frozen(p * (grad_p - np.sum(p * grad_p, axis=-1, keepdims=True)))


def attention_backward(Q, K, V, grad_out, mask=None):
    Q, K, V, grad_out = (np.asarray(a, dtype=float) for a in (Q, K, V, grad_out))
    mask = np.asarray(True if mask is None else mask).astype(bool)
    scores = np.einsum("...qd,...kd->...qk", Q, K) / math.sqrt(Q.shape[-1])
    scores = np.where(mask, scores, -math.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    p = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    g = np.asarray(softmax_backward(p, np.einsum("...qv,...kv->...qk", grad_out, V))) / math.sqrt(Q.shape[-1])
    return frozen(g @ K), frozen(np.einsum("...qk,...qd->...kd", g, Q)), frozen(np.einsum("...qk,...qv->...kv", p, grad_out))


def attention_entropy(weights):
    weights = np.asarray(weights, dtype=float)
    positive = weights > 0
    logs = np.zeros_like(weights)
    np.log(weights, out=logs, where=positive)
    return frozen(-np.sum(weights * logs, axis=-1))


def log_n_scale(n, n_train):
    return frozen(np.log(np.asarray(n)) / math.log(n_train))
