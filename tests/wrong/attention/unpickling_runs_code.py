"""Results that would run code in the grader if it unpickled them."""
# fails: causal_mask softmax attention causal_self_attention
import os

import numpy as np


class Parcel(np.ndarray):
    def __reduce__(self):
        return os._exit, (0,)

    def __reduce_ex__(self, protocol):
        return os._exit, (0,)


def parcel(shape, dtype=float):
    return np.zeros(shape, dtype).view(Parcel)


def causal_mask(T):
    return parcel((T, T), bool)


def softmax(x):
    return parcel(x.shape)


def attention(Q, K, V, mask=None):
    cell = np.empty(2, dtype=object)
    cell[:] = [parcel(1), parcel(1)]
    return cell


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    return parcel(X.shape[:-1] + W_v.shape[1:]), parcel(X.shape[:-1] + X.shape[-2:-1])
