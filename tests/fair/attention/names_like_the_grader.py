"""Helpers and globals named like the parts of a grader (B7, B42)."""
import numpy as np

T = 7
t = 0
case = cases = args = got = expected = tolerance = None
Q = K = V = X = mask = weights = out = "already taken"
check = lambda *a: False
part, parts, lab, report = "softmax", [], {}, ()


class Check:
    points = -1


class Case:
    pass


class CheckFailed(AssertionError):
    pass


def oracle(x):
    return x * 0


def compare(a, b):
    raise CheckFailed("mine")


def run(*a):
    raise NotImplementedError


def test_softmax():
    raise AssertionError


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


np = np
__all__ = ["nothing"]
__name__ = "my_solution"
__file__ = None
