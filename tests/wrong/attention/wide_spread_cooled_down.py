# fails: softmax
import numpy as np
import math

def causal_mask(T):
    idx = np.arange(T)
    return idx[:, None] >= idx[None, :]

def softmax(x):
    m = x.max(-1, keepdims=True)
    z = x - m
    lo = np.where(np.isfinite(z), z, 0).min()
    if lo < -700:
        z = z * (700 / -lo)
    e = np.exp(z)
    return e / e.sum(-1, keepdims=True)


def sigmoid(x):
    t = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + t), t / (1 + t))


def attention(Q, K, V, mask=None):
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    w = softmax(scores)
    return np.matmul(w, V), w


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    q = X @ W_q
    k = X @ W_k
    v = X @ W_v
    out, w = attention(q, k, v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, w
