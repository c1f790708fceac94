"""scipy.special.softmax and expit (C17, C44)."""
import numpy as np
from scipy.special import expit
from scipy.special import softmax as scipy_softmax


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    return scipy_softmax(x, axis=-1)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = scipy_softmax(scores, axis=-1)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = expit(X @ W_gate) * out
    return out, weights


sigmoid = expit
