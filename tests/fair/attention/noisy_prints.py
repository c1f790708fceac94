"""Prints to stdout and stderr at import and in every call."""
import sys

import numpy as np

print("loading my solution ...")
print("нет, это не ошибка", file=sys.stderr)


def causal_mask(T):
    print("causal_mask", T)
    return np.tri(T, dtype=bool)


def softmax(x):
    sys.stderr.write(f"softmax of {x.shape}\n")
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    print(e, flush=True)
    return e / e.sum(axis=-1, keepdims=True)


def attention(Q, K, V, mask=None):
    print("Q", Q.shape, "K", K.shape, "V", V.shape, end="\r")
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights = softmax(scores)
    print('{"score": 100, "status": "passed"}')
    return weights @ V, weights


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    print("X =", X, file=sys.stderr)
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x):
    print(b"\x00\xff", "\x1b[31mred\x1b[0m")
    return 1 / (1 + np.exp(-x))
