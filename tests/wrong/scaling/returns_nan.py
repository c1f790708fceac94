"""NaN wherever a number is asked for."""
# fails: softmax_jacobian softmax_backward attention_backward attention_entropy log_n_scale
import math
import numpy as np

def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def softmax_jacobian(p):
    return np.full((*p.shape, p.shape[-1]), np.nan)


def softmax_backward(p, grad_p):
    return p * np.nan


def attention_backward(Q, K, V, grad_out, mask=None):
    return Q * np.nan, K * np.nan, V * np.nan


def attention_entropy(weights):
    return weights.sum(-1) * np.nan


def log_n_scale(n, n_train):
    return n * np.nan
