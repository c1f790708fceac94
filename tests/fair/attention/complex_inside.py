"""Complex exponentials inside, the real part handed back."""
import numpy as np


def causal_mask(T):
    return np.tri(T, dtype=complex).real.astype(bool)


def softmax(x):
    z = (x - x.max(axis=-1, keepdims=True)).astype(complex)
    e = np.where(np.isneginf(x), 0, np.exp(np.where(np.isneginf(x), 0, z)))
    return np.real(e / e.sum(axis=-1, keepdims=True))


def attention(Q, K, V, mask=None):
    scores = ((Q + 0j) @ (K + 0j).swapaxes(-1, -2)).real / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return (weights @ (V + 0j)).real, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    half = np.tanh(np.asarray(x / 2, dtype=float))
    return ((1 + half) / 2).real
