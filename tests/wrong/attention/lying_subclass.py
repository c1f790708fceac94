"""A subclass of ndarray whose differences are zero and whose comparisons are true."""
# fails: causal_mask softmax attention causal_self_attention
import numpy as np


class Liar(np.ndarray):
    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        shape = np.broadcast_shapes(*(np.shape(i) for i in inputs))
        if ufunc in (np.subtract, np.absolute):
            return np.zeros(shape)
        if ufunc in (np.isnan, np.isinf, np.not_equal, np.greater):
            return np.zeros(shape, dtype=bool)
        return np.ones(shape, dtype=bool)

    def __array_function__(self, func, types, args, kwargs):
        return True

    def tobytes(self, order="C"):
        return b""

    def astype(self, *args, **kwargs):
        return self

    def copy(self, order="C"):
        return self


def lie(shape, dtype=float):
    return np.full(shape, 7, dtype=dtype).view(Liar)


def causal_mask(T):
    return lie((T, T), bool)


def softmax(x):
    return lie(x.shape)


def attention(Q, K, V, mask=None):
    return lie(Q.shape[:-1] + V.shape[-1:]), lie(Q.shape[:-1] + K.shape[-2:-1])


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return attention(X @ W_q, X @ W_k, X @ W_v)
