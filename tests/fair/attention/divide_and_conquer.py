"""The keys are halved recursively and the halves merged by log-sum-exp (C34)."""
import numpy as np


def causal_mask(T):
    if T <= 1:
        return np.ones((T, T), dtype=bool)
    a, b = T // 2, T - T // 2
    return np.block([[causal_mask(a), np.zeros((a, b), bool)], [np.ones((b, a), bool), causal_mask(b)]])


def _log_total(x):
    n = x.shape[-1]
    if n == 1:
        return x[..., 0]
    return np.logaddexp(_log_total(x[..., : n // 2]), _log_total(x[..., n // 2 :]))


def softmax(x):
    x = x - x.max(axis=-1, keepdims=True)
    return np.exp(x - _log_total(x)[..., None])


def _halves(scores, V):
    n = scores.shape[-1]
    if n == 1:
        return V * np.ones(scores.shape), scores[..., 0]
    left, a = _halves(scores[..., : n // 2], V[..., : n // 2, :])
    right, b = _halves(scores[..., n // 2 :], V[..., n // 2 :, :])
    both = np.logaddexp(a, b)
    safe = np.where(np.isneginf(both), 0, both)
    return left * np.exp(a - safe)[..., None] + right * np.exp(b - safe)[..., None], both


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    scores = scores - scores.max(axis=-1, keepdims=True)
    out, log_total = _halves(scores, V)
    return out, np.exp(scores - log_total[..., None])


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
