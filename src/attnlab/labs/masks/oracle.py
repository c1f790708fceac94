"""Lab `masks` from the definitions, by plain loops in float64. Slow on purpose, independent of the core."""

import math

import numpy as np


def padding_mask(lengths, T):
    """Return ``(mask,)``, mask[b, 0, j] = (j < lengths[b])."""
    mask = np.zeros((len(lengths), 1, T), bool)  # (B, 1, T)
    for b, length in enumerate(lengths.tolist()):
        for j in range(T):
            mask[b, 0, j] = j < length
    return (mask,)


def from_blocked(mask):
    """Return ``(visible,)``, cell by cell the opposite."""
    visible = np.zeros(mask.shape, bool)  # (...)
    for index in np.ndindex(mask.shape):
        visible[index] = not mask[index]
    return (visible,)


def sliding_window_mask(T, window, sinks=0):
    """Return ``(mask,)``: row i holds the last `window` positions up to i, and the first `sinks` of those up to i."""
    mask = np.zeros((T, T), bool)  # (T, T)
    for i in range(T):
        past = list(range(i + 1))
        for j in past[-window:] + past[:sinks]:
            mask[i, j] = True
    return (mask,)


def combine_masks(*masks):
    """Return ``(mask,)``, cell by cell whether every mask says True; ``(None,)`` when there is no mask."""
    given = [mask for mask in masks if mask is not None]
    if not given:
        return (None,)
    shape = np.broadcast_shapes(*(mask.shape for mask in given))
    stretched = [np.broadcast_to(mask, shape) for mask in given]
    combined = np.zeros(shape, bool)  # (...)
    for index in np.ndindex(shape):
        combined[index] = all(mask[index] for mask in stretched)
    return (combined,)


def weights_of(row, visible):
    """Return the weights of one row of Python floats; hidden entries get 0, all of them where none is visible."""
    seen = [x for x, may_look in zip(row, visible, strict=True) if may_look and x != -math.inf]
    if not seen:
        return [0.0] * len(row)
    top = max(seen)
    powers = [math.exp(x - top) if v and x != -math.inf else 0.0 for x, v in zip(row, visible, strict=True)]
    total = math.fsum(powers)
    return [p / total for p in powers]


def safe_softmax(x):
    """Return ``(weights,)``, row by row."""
    weights = np.zeros(x.shape)  # (..., n)
    for index in np.ndindex(x.shape[:-1]):
        weights[index] = weights_of([float(v) for v in x[index]], [True] * x.shape[-1])
    return (weights,)


def masked_attention(Q, K, V, mask=None):
    """Return ``(out, weights)``, query by query."""
    lead, (T_q, d_k), (T_k, d_v) = Q.shape[:-2], Q.shape[-2:], V.shape[-2:]
    visible = np.broadcast_to(True if mask is None else mask, (*lead, T_q, T_k))  # (..., T_q, T_k)
    out, weights = np.zeros((*lead, T_q, d_v)), np.zeros((*lead, T_q, T_k))
    for b in np.ndindex(lead):
        queries, keys, values = Q[b].tolist(), K[b].tolist(), V[b].tolist()
        for i in range(T_q):
            row = [math.fsum(queries[i][c] * keys[j][c] for c in range(d_k)) / math.sqrt(d_k) for j in range(T_k)]
            w = weights_of(row, visible[b][i].tolist())
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


def cross_attention(X, Z, W_q, W_k, W_v, mask=None):
    """Return ``(out, weights)``: queries from one sequence, keys and values from the other."""
    return masked_attention(project(X, W_q), project(Z, W_k), project(Z, W_v), mask)


# --- the largest magnitude that enters an exponential, for the float32 tolerance --------------------------------------


def logit_scale(x):
    """Return the largest finite magnitude in `x`."""
    finite = np.abs(x[np.isfinite(x)].astype(float))
    return float(finite.max(initial=0.0))


def score_scale(Q, K, V, mask=None):
    """Return the largest magnitude of the scaled scores."""
    Q, K = Q.astype(float), K.astype(float)
    scores = np.einsum("...ik,...jk->...ij", Q, K) / math.sqrt(Q.shape[-1])  # (..., T_q, T_k)
    return float(np.abs(scores).max(initial=0.0))


def cross_score_scale(X, Z, W_q, W_k, W_v, mask=None):
    """Return the largest magnitude of the scaled scores."""
    return score_scale(X.astype(float) @ W_q.astype(float), Z.astype(float) @ W_k.astype(float), None)
