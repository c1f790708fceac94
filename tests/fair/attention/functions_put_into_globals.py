"""The functions are written into globals() by a loop; no def or assignment bears their names."""
import numpy as np


def _build():
    def mask(T):
        return np.tri(T, dtype=bool)

    def soft(x):
        e = np.exp(x - x.max(axis=-1, keepdims=True))
        return e / e.sum(axis=-1, keepdims=True)

    def attend(Q, K, V, mask=None):
        scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
        if mask is not None:
            scores = np.where(mask, scores, -np.inf)
        weights = soft(scores)
        return weights @ V, weights

    def attend_to_past(X, W_q, W_k, W_v, W_gate=None):
        out, weights = attend(X @ W_q, X @ W_k, X @ W_v, mask(X.shape[-2]))
        if W_gate is not None:
            out = out * squash(X @ W_gate)
        return out, weights

    def squash(x):
        return 1 / (1 + np.exp(-x))

    yield from zip(
        ["causal_mask", "softmax", "attention", "causal_self_attention", "sigmoid"],
        [mask, soft, attend, attend_to_past, squash],
    )


for _name, _function in _build():
    globals()[_name] = _function
