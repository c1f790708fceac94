"""Lab `attention` from the formulas, by plain loops in float64. Slow on purpose, independent of the core."""

import math

import numpy as np


def causal_mask(T):
    """Return ``(mask,)``, mask[i, j] = (j <= i)."""
    mask = np.zeros((T, T), bool)  # (T, T)
    for i in range(T):
        for j in range(T):
            mask[i, j] = j <= i
    return (mask,)


def softmax_row(row, visible=None):
    """Return the weights of one row of Python floats; hidden entries get 0."""
    seen = [x for j, x in enumerate(row) if visible is None or visible[j]]
    top = max(seen)
    powers = [
        math.exp(x - top) if (visible is None or visible[j]) and x != -math.inf else 0.0 for j, x in enumerate(row)
    ]
    total = math.fsum(powers)
    return [p / total for p in powers]


def softmax(x):
    """Return ``(weights,)``, row by row."""
    weights = np.zeros(x.shape)  # (..., n)
    for index in np.ndindex(x.shape[:-1]):
        weights[index] = softmax_row([float(v) for v in x[index]])
    return (weights,)


def attention(Q, K, V, mask=None):
    """Return ``(out, weights)``, query by query."""
    lead, (T_q, d_k), (T_k, d_v) = Q.shape[:-2], Q.shape[-2:], V.shape[-2:]
    visible = np.ones((*lead, T_q, T_k), bool) if mask is None else np.broadcast_to(mask, (*lead, T_q, T_k))
    out, weights = np.zeros((*lead, T_q, d_v)), np.zeros((*lead, T_q, T_k))
    for b in np.ndindex(lead):
        queries, keys, values = Q[b].tolist(), K[b].tolist(), V[b].tolist()
        for i in range(T_q):
            row = [math.fsum(queries[i][c] * keys[j][c] for c in range(d_k)) / math.sqrt(d_k) for j in range(T_k)]
            w = softmax_row(row, visible[b][i].tolist())
            weights[b][i] = w
            for c in range(d_v):
                out[b][i, c] = math.fsum(w[j] * values[j][c] for j in range(T_k))
    return out, weights


def project(X, W):
    """Return X @ W, entry by entry."""
    result = np.zeros((*X.shape[:-1], W.shape[1]))  # (..., T, d)
    columns = W.T.tolist()
    for index in np.ndindex(X.shape[:-1]):
        x = X[index].tolist()
        result[index] = [math.fsum(a * b for a, b in zip(x, column, strict=True)) for column in columns]
    return result


def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):
    """Return ``(out, weights)``: project, attend under the causal mask, gate."""
    (mask,) = causal_mask(X.shape[-2])
    out, weights = attention(project(X, W_q), project(X, W_k), project(X, W_v), mask)
    if W_gate is not None:
        (gate,) = sigmoid(project(X, W_gate))  # (..., T, d_v or 1)
        for index in np.ndindex(out.shape):
            out[index] *= gate[(*index[:-1], index[-1] if gate.shape[-1] > 1 else 0)]
    return out, weights


def sigmoid(x):
    """Return ``(gate,)``, number by number."""
    gate = np.zeros(x.shape)  # (...)
    for index in np.ndindex(x.shape):
        v = float(x[index])
        gate[index] = 1 / (1 + math.exp(-v)) if v >= 0 else math.exp(v) / (1 + math.exp(v))
    return (gate,)


# --- the largest magnitude that enters an exponential, for the float32 tolerance --------------------------------------


def no_scale(*args):
    """Return 0: nothing is exponentiated."""
    return 0.0


def logit_scale(x):
    """Return the largest finite magnitude in `x`."""
    finite = np.abs(x[np.isfinite(x)].astype(float))
    return float(finite.max(initial=0.0))


def score_scale(Q, K, V, mask=None):
    """Return the largest magnitude of the scaled scores."""
    Q, K = Q.astype(float), K.astype(float)
    scores = np.einsum("...ik,...jk->...ij", Q, K) / math.sqrt(Q.shape[-1])  # (..., T_q, T_k)
    return float(np.abs(scores).max(initial=0.0))


def self_score_scale(X, W_q, W_k, W_v, W_gate=None):
    """Return the largest magnitude of the scaled scores and of the gate's logits."""
    X = X.astype(float)
    gate = 0.0 if W_gate is None else float(np.abs(X @ W_gate.astype(float)).max(initial=0.0))
    return max(score_scale(X @ W_q.astype(float), X @ W_k.astype(float), None), gate)
