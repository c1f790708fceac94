"""Plain Python numbers, nested lists returned, no array operation at all (C2)."""
import math


def nested(function, axes, *arrays):
    """Apply `function` to the last `axes` axes of nested lists."""
    arrays = [a.tolist() for a in arrays]

    def go(*parts):
        depth, inner = 0, parts[0]
        while isinstance(inner, list):
            depth, inner = depth + 1, inner[0] if inner else None
        if depth == axes:
            return function(*parts)
        return [go(*items) for items in zip(*parts)]

    return go(*arrays)


def softmax_jacobian(p):
    def row(w):
        return [[w[i] * ((i == j) - w[j]) for j in range(len(w))] for i in range(len(w))]

    return nested(row, 1, p)


def backward_row(w, g):
    mean = sum(a * b for a, b in zip(w, g))
    return [a * (b - mean) for a, b in zip(w, g)]


def softmax_backward(p, grad_p):
    return nested(backward_row, 1, p, grad_p)


def attention_backward(Q, K, V, grad_out, mask=None):
    import numpy as np

    shape = (*Q.shape[:-1], K.shape[-2])
    seen = np.ones(shape, bool) if mask is None else np.broadcast_to(mask, shape)

    def one(Q, K, V, G, seen):
        root = math.sqrt(len(Q[0]))
        dQ = [[0.0] * len(Q[0]) for _ in Q]
        dK = [[0.0] * len(K[0]) for _ in K]
        dV = [[0.0] * len(V[0]) for _ in V]
        for i, q in enumerate(Q):
            s = [sum(a * b for a, b in zip(q, k)) / root if seen[i][j] else -math.inf for j, k in enumerate(K)]
            top = max(s)
            e = [math.exp(x - top) for x in s]
            total = sum(e)
            p = [x / total for x in e]
            grad_p = [sum(a * b for a, b in zip(G[i], v)) for v in V]
            for j, gs in enumerate(backward_row(p, grad_p)):
                for c in range(len(q)):
                    dQ[i][c] += gs * K[j][c] / root
                    dK[j][c] += gs * q[c] / root
                for c in range(len(G[i])):
                    dV[j][c] += p[j] * G[i][c]
        return dQ, dK, dV

    if Q.ndim == 2:
        return one(*(a.tolist() for a in (Q, K, V, grad_out, seen)))
    parts = [attention_backward(*items) for items in zip(Q, K, V, grad_out, seen)]
    return [[part[number] for part in parts] for number in range(3)]


def attention_entropy(weights):
    def row(w):
        return -sum(x * math.log(x) for x in w if x > 0)

    return nested(row, 1, weights)


def log_n_scale(n, n_train):
    try:
        return [log_n_scale(item, n_train) for item in n]
    except TypeError:
        return math.log(n) / math.log(n_train)
