"""In-place operations everywhere, on arrays of its own (C33)."""
import numpy as np


def softmax(x):
    x = np.array(x)
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def softmax_jacobian(p):
    J = np.multiply(p[..., :, None], p[..., None, :])
    np.negative(J, out=J)
    i = np.arange(p.shape[-1])
    J[..., i, i] += p
    return J


def softmax_backward(p, grad_p):
    g = grad_p.copy()
    g -= (p * grad_p).sum(axis=-1, keepdims=True)
    g *= p
    return g


def attention_backward(Q, K, V, grad_out, mask=None):
    Q = Q.copy()
    root = np.sqrt(Q.shape[-1])
    Q /= root
    s = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        s[~np.broadcast_to(mask, s.shape)] = -np.inf
    p = softmax(s)
    g = softmax_backward(p, grad_out @ V.swapaxes(-1, -2))
    grad_Q = g @ K
    grad_Q /= root
    return grad_Q, g.swapaxes(-1, -2) @ Q, p.swapaxes(-1, -2) @ grad_out


def attention_entropy(weights):
    w = weights.copy()
    w[w == 0] = 1
    return -(weights * np.log(w)).sum(axis=-1)


def log_n_scale(n, n_train):
    scale = np.array(n, dtype=float)
    np.log(scale, out=scale)
    scale /= np.log(n_train)
    return scale
