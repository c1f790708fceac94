"""Lab `scaling` from the formulas, by plain loops in float64. Slow on purpose, independent of the core."""

import math

import numpy as np


def softmax_jacobian(p):
    """Return ``(jacobian,)``, entry by entry: p_i (1 - p_i) on the diagonal, -p_i p_j beside it."""
    n = p.shape[-1]
    jacobian = np.zeros((*p.shape, n))  # (..., n, n)
    for index in np.ndindex(p.shape[:-1]):
        row = p[index].tolist()
        for i in range(n):
            for j in range(n):
                jacobian[(*index, i, j)] = row[i] * (1 - row[i]) if i == j else -row[i] * row[j]
    return (jacobian,)


def backward_row(weights, gradients):
    """Return ``p_i (g_i - sum_j p_j g_j)`` for one row of Python floats."""
    mean = math.fsum(w * g for w, g in zip(weights, gradients, strict=True))
    return [w * (g - mean) for w, g in zip(weights, gradients, strict=True)]


def softmax_backward(p, grad_p):
    """Return ``(grad_s,)``, row by row."""
    grad_s = np.zeros(p.shape)  # (..., n)
    for index in np.ndindex(p.shape[:-1]):
        grad_s[index] = backward_row(p[index].tolist(), grad_p[index].tolist())
    return (grad_s,)


def weights_row(query, keys, visible):
    """Return the weights of one query over its visible keys, 0 for the hidden ones."""
    scores = [math.fsum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query)) for key in keys]
    top = max(s for s, seen in zip(scores, visible, strict=True) if seen)
    powers = [math.exp(s - top) if seen else 0.0 for s, seen in zip(scores, visible, strict=True)]
    total = math.fsum(powers)
    return [power / total for power in powers]


def attention_backward(Q, K, V, grad_out, mask=None):
    """Return ``(grad_Q, grad_K, grad_V)``: each pair of query and key hands its share on, by the chain rule."""
    lead, (T_q, d_k), (T_k, d_v) = Q.shape[:-2], Q.shape[-2:], V.shape[-2:]
    visible = np.ones((*lead, T_q, T_k), bool) if mask is None else np.broadcast_to(mask, (*lead, T_q, T_k))
    grad_Q, grad_K, grad_V = np.zeros(Q.shape), np.zeros(K.shape), np.zeros(V.shape)
    for b in np.ndindex(lead):
        queries, keys, values, upstream = (a[b].tolist() for a in (Q, K, V, grad_out))
        for i in range(T_q):
            p = weights_row(queries[i], keys, visible[b][i].tolist())
            grad_p = [math.fsum(upstream[i][c] * values[j][c] for c in range(d_v)) for j in range(T_k)]
            grad_s = backward_row(p, grad_p)
            for j in range(T_k):
                share = grad_s[j] / math.sqrt(d_k)
                for c in range(d_k):
                    grad_Q[b][i, c] += share * keys[j][c]
                    grad_K[b][j, c] += share * queries[i][c]
                for c in range(d_v):
                    grad_V[b][j, c] += p[j] * upstream[i][c]
    return grad_Q, grad_K, grad_V


def attention_entropy(weights):
    """Return ``(entropy,)``, row by row; a weight of 0 adds nothing."""
    entropy = np.zeros(weights.shape[:-1])  # (...)
    for index in np.ndindex(entropy.shape):
        entropy[index] = -math.fsum(w * math.log(w) for w in weights[index].tolist() if w > 0)
    return (entropy,)


def log_n_scale(n, n_train):
    """Return ``(scale,)``, number by number; of a number without axes too."""
    counts = np.asarray(n)  # (...)
    scale = np.zeros(counts.shape)  # (...)
    for index in np.ndindex(counts.shape):
        scale[index] = math.log(counts[index]) / math.log(n_train)
    return (scale,)


# --- the largest magnitude in which a rounding error of float32 may arise, for its tolerance --------------------------


def gradient_scale(p, grad_p):
    """Return the largest magnitude in `grad_p`: differences of such numbers are taken."""
    return float(np.abs(grad_p.astype(float)).max(initial=0.0))


def score_scale(Q, K, V, grad_out, mask=None):
    """Return the largest magnitude of the scaled scores."""
    scores = np.einsum("...ik,...jk->...ij", Q.astype(float), K.astype(float)) / math.sqrt(Q.shape[-1])
    return float(np.abs(scores).max(initial=0.0))
