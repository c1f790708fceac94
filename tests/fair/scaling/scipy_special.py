"""SciPy does the logarithms and the softmax, where it is installed; the same without it."""
import numpy as np

try:
    from scipy.special import entr, softmax as scipy_softmax
except ImportError:
    def entr(w):
        return -w * np.log(np.where(w > 0, w, 1))

    def scipy_softmax(x, axis):
        e = np.exp(x - x.max(axis=axis, keepdims=True))
        return e / e.sum(axis=axis, keepdims=True)


def softmax_jacobian(p):
    return p[..., None] * (np.identity(p.shape[-1]) - p[..., None, :])


def softmax_backward(p, grad_p):
    return p * (grad_p - np.vecdot(p, grad_p)[..., None]) if hasattr(np, "vecdot") else p * (
        grad_p - (p * grad_p).sum(-1)[..., None])


def attention_backward(Q, K, V, grad_out, mask=None):
    logits = Q @ np.swapaxes(K, -1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    p = scipy_softmax(logits, axis=-1)
    dS = softmax_backward(p, grad_out @ np.swapaxes(V, -1, -2)) / np.sqrt(Q.shape[-1])
    return dS @ K, np.swapaxes(dS, -1, -2) @ Q, np.swapaxes(p, -1, -2) @ grad_out


def attention_entropy(weights):
    return entr(weights).sum(axis=-1)


def log_n_scale(n, n_train):
    return np.emath.logn(n_train, n)
