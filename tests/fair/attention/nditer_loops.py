"""np.nditer and multi-index iteration."""
import numpy as np


def causal_mask(T):
    mask = np.zeros((T, T), dtype=bool)
    if T == 0:
        return mask
    with np.nditer(mask, flags=["multi_index"], op_flags=["writeonly"]) as it:
        for cell in it:
            i, j = it.multi_index
            cell[...] = j <= i
    return mask


def softmax(x):
    shifted = x - x.max(axis=-1, keepdims=True)
    e = np.empty_like(shifted)
    for source, target in np.nditer([shifted, e], op_flags=[["readonly"], ["writeonly"]]):
        target[...] = np.exp(source)
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        visible = np.broadcast_to(mask, scores.shape)
        for index, seen in np.ndenumerate(visible):
            if not seen:
                scores[index] = -np.inf
    weights = softmax(scores)
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        gate = sigmoid(X @ W_gate)
        for o, g in np.nditer([out, gate], op_flags=[["readwrite"], ["readonly"]]):
            o[...] = o * g
    return out, weights


def sigmoid(x):
    y = np.array(x, copy=True)
    for v in np.nditer(y, op_flags=["readwrite"]):
        v[...] = 1 / (1 + np.exp(-v))
    return y
