"""Blocks of two keys, merged by running maximum and sum (C14)."""
import numpy as np

BLOCK = 2


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    full = Q.shape[:-1] + K.shape[-2:-1]
    bias = np.zeros(full) if mask is None else np.where(np.broadcast_to(mask, full), 0.0, -np.inf)
    q = Q / np.sqrt(Q.shape[-1])
    top = np.full(Q.shape[:-1] + (1,), -1e300)
    total = np.zeros_like(top)
    acc = 0.0
    pieces = []
    for start in range(0, K.shape[-2], BLOCK):
        stop = start + BLOCK
        s = q @ K[..., start:stop, :].swapaxes(-1, -2) + bias[..., start:stop]
        pieces.append(s)
        new_top = np.maximum(top, s.max(axis=-1, keepdims=True))
        p = np.exp(s - new_top)
        decay = np.exp(top - new_top)
        total = decay * total + p.sum(axis=-1, keepdims=True)
        acc = decay * acc + p @ V[..., start:stop, :]
        top = new_top
    weights = np.exp(np.concatenate(pieces, axis=-1) - top) / total
    return acc / total, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return 1 / (1 + np.exp(-x))
