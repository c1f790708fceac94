# fails: causal_self_attention
import numpy as np
import math

def causal_mask(T):
    idx = np.arange(T)
    return idx[:, None] >= idx[None, :]


def softmax(x):
    z = x - np.max(x, axis=-1, keepdims=True)
    e = np.exp(z)
    return e / np.sum(e, axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    scores = np.matmul(Q, np.swapaxes(K, -1, -2)) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    w = softmax(scores)
    return np.matmul(w, V), w


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    q, k, v = X @ W_q, X @ W_k, X @ W_v
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    s = s - 50. * ~causal_mask(X.shape[-2])
    w = softmax(s); out = w @ v
    if W_gate is not None: out = out * sigmoid(X @ W_gate)
    return out, w


def sigmoid(x):
    t = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + t), t / (1 + t))
