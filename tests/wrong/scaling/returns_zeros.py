"""Zeros of the right shapes."""
# fails: softmax_jacobian softmax_backward attention_backward attention_entropy log_n_scale
import math
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    return np.zeros((*p.shape, p.shape[-1]))


def softmax_backward(p, grad_p):
    return 0 * p


def attention_backward(Q, K, V, grad_out, mask=None):
    return 0 * Q, 0 * K, 0 * V


def attention_entropy(weights):
    return 0 * weights.sum(-1)


def log_n_scale(n, n_train):
    return 0 * np.log(n)
