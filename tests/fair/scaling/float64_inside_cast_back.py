"""Everything is computed in float64 and cast back to the dtype of the inputs (C20)."""
import numpy as np


def softmax_jacobian(p):
    q = p.astype(np.float64)
    return (q[..., None] * np.eye(q.shape[-1]) - q[..., None] * q[..., None, :]).astype(p.dtype)


def softmax_backward(p, grad_p):
    a, g = p.astype(np.float64), grad_p.astype(np.float64)
    return (a * (g - np.sum(a * g, -1, keepdims=True))).astype(p.dtype)


def attention_backward(Q, K, V, grad_out, mask=None):
    dtype = Q.dtype
    Q, K, V, G = (a.astype(np.float64) for a in (Q, K, V, grad_out))
    c = Q.shape[-1] ** -0.5
    s = np.matmul(Q, np.swapaxes(K, -1, -2)) * c
    if mask is not None:
        s = s + np.where(mask, 0.0, -np.inf)
    s = s - np.max(s, -1, keepdims=True)
    p = np.exp(s)
    p = p / np.sum(p, -1, keepdims=True)
    dV = np.matmul(np.swapaxes(p, -1, -2), G)
    dP = np.matmul(G, np.swapaxes(V, -1, -2))
    dS = p * (dP - np.sum(p * dP, -1, keepdims=True))
    return (np.matmul(dS, K) * c).astype(dtype), (np.matmul(np.swapaxes(dS, -1, -2), Q) * c).astype(dtype), dV.astype(dtype)


def attention_entropy(weights):
    w = weights.astype(np.float64)
    return (-np.sum(np.where(w > 0, w * np.log(np.where(w > 0, w, 1.0)), 0.0), axis=-1)).astype(weights.dtype)


def log_n_scale(n, n_train):
    return np.divide(np.log(np.asarray(n, dtype=np.float64)), np.log(float(n_train)))
