"""Functions are handed out by a module-level __getattr__."""
import numpy as np
import math
_impl = {}
_impl["softmax"] = lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True)
def __getattr__(name):
    try: return _impl[name]
    except KeyError: raise AttributeError(name)
def attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None: s = np.where(mask, s, -np.inf)
    w = _impl["softmax"](s)
    return w @ V, w



def causal_mask(T):
    idx = np.arange(T)
    return idx[:, None] >= idx[None, :]


def sigmoid(x):
    t = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + t), t / (1 + t))


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    q = X @ W_q
    k = X @ W_k
    v = X @ W_v
    out, w = attention(q, k, v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, w
