# fails: attention
import numpy as np
import math

def causal_mask(T):
    idx = np.arange(T)
    return idx[:, None] >= idx[None, :]


def softmax(x):
    z = x - np.max(x, axis=-1, keepdims=True)
    e = np.exp(z)
    return e / np.sum(e, axis=-1, keepdims=True)


def sigmoid(x):
    t = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + t), t / (1 + t))

def attention(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        if mask.ndim == 3 and s.ndim == 4: mask = mask[:, None]   # believes (B, T, T)
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, w


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    q = X @ W_q
    k = X @ W_k
    v = X @ W_v
    out, w = attention(q, k, v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, w
