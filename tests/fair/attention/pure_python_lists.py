"""Recursion over nested lists, NumPy only at the door (C2, C22)."""
import math

import numpy


def causal_mask(T):
    rows = [[j <= i for j in range(T)] for i in range(T)]
    return numpy.array(rows, dtype=bool).reshape(T, T)


def _softmax_list(x):
    if isinstance(x[0], list):
        return [_softmax_list(row) for row in x]
    top = max(x)
    exps = [math.exp(v - top) for v in x]
    total = sum(exps)
    return [v / total for v in exps]


def softmax(x):
    return numpy.array(_softmax_list(numpy.asarray(x).tolist()))


def _attend(q, k, v, mask):
    if isinstance(q[0][0], list):
        parts = [_attend(*args) for args in zip(q, k, v, mask)]
        return [p[0] for p in parts], [p[1] for p in parts]
    d = len(q[0])
    scores = [
        [sum(a * b for a, b in zip(qi, kj)) / d**0.5 if ok else -math.inf for kj, ok in zip(k, row)]
        for qi, row in zip(q, mask)
    ]
    w = _softmax_list(scores)
    out = [[sum(p * vj[c] for p, vj in zip(wi, v)) for c in range(len(v[0]))] for wi in w]
    return out, w


def attention(Q, K, V, mask=None):
    full = Q.shape[:-1] + (K.shape[-2],)
    seen = numpy.broadcast_to(True if mask is None else mask, full)
    out, w = _attend(Q.tolist(), K.tolist(), V.tolist(), seen.tolist())
    return numpy.array(out), numpy.array(w)


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, w


def _sig(v):
    if isinstance(v, list):
        return [_sig(u) for u in v]
    return 0.5 * (1 + math.tanh(v / 2))


def sigmoid(x):
    return numpy.array(_sig(numpy.asarray(x).tolist()))
