"""All floating-point errors raise, warnings are errors, and the code is right all the same."""
import warnings

import numpy as np

np.seterr(all="raise")
warnings.simplefilter("error")
np.set_printoptions(precision=2, suppress=True, threshold=5)


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    with np.errstate(under="ignore"):
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    with np.errstate(under="ignore"):
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        weights = softmax(scores)
        return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    with np.errstate(under="ignore"):
        out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
        if W_gate is not None:
            out = out * sigmoid(X @ W_gate)
        return out, weights


def sigmoid(x):
    with np.errstate(under="ignore"):
        e = np.exp(-np.abs(x))
        return np.where(x >= 0, 1 / (1 + e), e / (1 + e))
