"""Results are instances of a subclass of ndarray that carries a label (C46)."""
import numpy as np


class Labelled(np.ndarray):
    def __new__(cls, array, label):
        obj = np.asarray(array).view(cls)
        obj.label = label
        return obj

    def __array_finalize__(self, obj):
        self.label = getattr(obj, "label", None)

    def __repr__(self):
        return f"<{self.label} {self.shape}>"


def causal_mask(T):
    return Labelled(np.tri(T, dtype=bool), "mask")


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return Labelled(e / e.sum(axis=-1, keepdims=True), "weights")


def attention(Q, K, V, mask=None):
    scores = Labelled(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]), "scores")
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    return Labelled(weights @ V, "out"), weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    return Labelled(1 / (1 + np.exp(-x)), "gate")
