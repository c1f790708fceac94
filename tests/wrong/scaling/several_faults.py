"""Several independent faults, one in each function."""
# fails: softmax_jacobian softmax_backward attention_backward attention_entropy log_n_scale
import math
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    return np.diag(p) - np.outer(p, p)


def softmax_backward(p, grad_p):
    return p * grad_p


def attention_backward(Q, K, V, grad_out, mask=None):
    p = softmax(Q @ K.T)
    return p @ K, p.T @ Q, p.T @ grad_out


def attention_entropy(weights):
    return -(weights * np.log2(weights)).sum()


def log_n_scale(n, n_train):
    return max(1, math.log(n, n_train))
