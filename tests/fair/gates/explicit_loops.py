"""Plain Python loops and math on single numbers (C2)."""
import math

import numpy as np


def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ V, weights


def split_heads(x, n_heads):
    *lead, T, width = x.shape
    return x.reshape(*lead, T, n_heads, width // n_heads).swapaxes(-2, -3)


def merge_heads(x):
    *lead, H, T, D = x.shape
    return x.swapaxes(-2, -3).reshape(*lead, T, H * D)


def sigmoid_of(v):
    return 1 / (1 + math.exp(-v)) if v >= 0 else math.exp(v) / (1 + math.exp(v))


def sigmoid(x):
    return np.array([sigmoid_of(float(v)) for v in np.ravel(x)]).reshape(np.shape(x))


def silu(x):
    return np.array([float(v) * sigmoid_of(float(v)) for v in np.ravel(x)]).reshape(np.shape(x))


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    d, w = W_gate.shape
    D = d // n_heads
    if activation != "sigmoid" and activation != "silu":
        raise ValueError("activation")
    if w == d:
        column = lambda h, c: h * D + c
    elif w == n_heads:
        column = lambda h, c: h
    elif w == D:
        column = lambda h, c: c
    elif w == 1:
        column = lambda h, c: 0
    else:
        raise ValueError("width")
    lead, T = X.shape[:-2], X.shape[-2]
    gate = np.zeros(lead + (n_heads, T, D))
    for b in np.ndindex(lead):
        for h in range(n_heads):
            for t in range(T):
                for c in range(D):
                    logit = sum(float(X[b][t, m]) * float(W_gate[m, column(h, c)]) for m in range(d))
                    gate[b][h, t, c] = sigmoid_of(logit) * (logit if activation == "silu" else 1)
    return gate


def gated_multi_head_attention(X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid",
                               combine="multiply", mask=None):
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError(position)
    if combine not in ("multiply", "add"):
        raise ValueError(combine)
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)

    def apply(x):
        return x * gate if combine == "multiply" else x + gate

    Q, K, V = (split_heads(X @ W, n_heads) for W in (W_q, W_k, W_v))
    if position == "G4":
        Q = apply(Q)
    elif position == "G3":
        K = apply(K)
    elif position == "G2":
        V = apply(V)
    out, weights = attention(Q, K, V, mask)
    if position == "G1":
        out = apply(out)
    out = merge_heads(out) @ W_o
    if position == "G5":
        out = merge_heads(apply(split_heads(out, 1)))
    return out, weights


def sink_share(weights):
    total, count = 0.0, 0
    for index in np.ndindex(weights.shape[:-1]):
        if index[-1] > 0:
            total += float(weights[index][0])
            count += 1
    return total / count


def gate_sparsity(gate, threshold=0.1):
    shut = 0
    for value in np.ravel(gate):
        if value < threshold:
            shut += 1
    return shut / np.size(gate)
