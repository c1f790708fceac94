"""Checks its own work and its arguments with asserts and ValueErrors."""
import numpy as np


def causal_mask(T):
    if T < 0:
        raise ValueError("T must not be negative")
    mask = np.tri(T, dtype=bool)
    assert mask.sum() == T * (T + 1) // 2
    return mask


def softmax(x):
    if not isinstance(x, np.ndarray):
        raise TypeError("give me an array")
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    assert p.shape == x.shape and np.all(p >= 0)
    np.testing.assert_allclose(p.sum(axis=-1), 1, atol=1e-4)
    return p


def attention(Q, K, V, mask=None):
    if Q.shape[-1] != K.shape[-1]:
        raise ValueError(f"Q and K differ in width: {Q.shape}, {K.shape}")
    if K.shape[-2] != V.shape[-2]:
        raise ValueError(f"K and V differ in length: {K.shape}, {V.shape}")
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        assert mask.dtype == bool
        scores = np.where(mask, scores, -np.inf)
        assert scores.shape == Q.shape[:-1] + (K.shape[-2],)
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    assert X.ndim >= 2, "X needs tokens and channels"
    assert W_q.shape == W_k.shape
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    assert not np.triu(np.atleast_2d(weights.reshape(-1, *weights.shape[-2:])[0]), 1).any()
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    y = 1 / (1 + np.exp(-x))
    assert np.all((y >= 0) & (y <= 1))
    return y
