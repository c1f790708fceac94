"""Every function returns a constant of the right shape."""
# fails: sigmoid silu gate_values gated_multi_head_attention sink_share gate_sparsity
import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def split_heads(x, n_heads):
    *lead, T, width = x.shape
    return x.reshape(*lead, T, n_heads, width // n_heads).swapaxes(-2, -3)


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def sigmoid(x):
    return np.full(np.shape(x), 0.5)


def silu(x):
    return np.zeros(np.shape(x))


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    return np.full((1, 1, 1), 0.5)


def gated_multi_head_attention(X, *args):
    T = X.shape[-2]
    return np.zeros(X.shape), np.full((*X.shape[:-2], args[5], T, T), 1 / T)


def sink_share(weights):
    return 0.5


def gate_sparsity(gate, threshold=0.1):
    return 0.0
