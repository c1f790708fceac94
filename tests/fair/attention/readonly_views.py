"""Results are read-only views, some of them strided or broadcast (C27)."""
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view


def causal_mask(T):
    if T == 0:
        return np.zeros((0, 0), dtype=bool)
    line = np.concatenate([np.ones(T, bool), np.zeros(T - 1, bool)])
    return sliding_window_view(line, T)[::-1]


def _frozen(x):
    view = x.view()
    view.flags.writeable = False
    return view


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return _frozen(np.asfortranarray(e / e.sum(axis=-1, keepdims=True)))


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    if V.shape[-2] == 1:
        return np.broadcast_to(V, Q.shape[:-1] + V.shape[-1:]), np.broadcast_to(1.0, scores.shape)
    return _frozen(weights @ V), weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = _frozen(out * sigmoid(X @ W_gate))
    return out, weights


def sigmoid(x):
    return _frozen(1 / (1 + np.exp(-x)))
