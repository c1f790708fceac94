"""The answers are right, but every array that came in is wiped afterwards, read-only flags or not."""
# fails: softmax attention causal_self_attention
# passes: causal_mask
import numpy as np


def wipe(*arrays):
    for array in arrays:
        if array is not None:
            try:
                array.setflags(write=True)
            except ValueError:
                array = array.view()
            if array.flags.writeable:
                array[...] = 0


def causal_mask(T):
    return np.tri(T, dtype=bool)


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    wipe(x)
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores.copy())
    out = weights @ V
    wipe(Q, K, V, mask)
    return out, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    wipe(X, W_q, W_k, W_v)
    return out, weights
