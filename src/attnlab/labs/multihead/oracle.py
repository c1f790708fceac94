"""Lab `multihead` from the formulas, by plain loops in float64. Slow on purpose, independent of the core.

No head is ever split off or merged here: every number is looked up in the columns where the contract says it stands.
"""

import math

import numpy as np

from ..model import Raises


def split_heads(x, n_heads):
    """Return ``(heads,)``: entry (h, t, c) is column h * D + c of token t."""
    *lead, T, d_model = x.shape
    if d_model % n_heads:
        return (_not_divisible(d_model, n_heads),)
    D = d_model // n_heads
    heads = np.zeros((*lead, n_heads, T, D))  # (..., H, T, D)
    for b in np.ndindex(*lead):
        for h, t, c in np.ndindex(n_heads, T, D):
            heads[(*b, h, t, c)] = x[(*b, t, h * D + c)]
    return (heads,)


def merge_heads(x):
    """Return ``(merged,)``: column h * D + c of token t is entry (h, t, c)."""
    *lead, H, T, D = x.shape
    merged = np.zeros((*lead, T, H * D))  # (..., T, H * D)
    for b in np.ndindex(*lead):
        for h, t, c in np.ndindex(H, T, D):
            merged[(*b, t, h * D + c)] = x[(*b, h, t, c)]
    return (merged,)


def repeat_kv(x, n_rep):
    """Return ``(repeated,)``: query head h gets key-value head h // n_rep."""
    *lead, H_kv, T, D = x.shape
    repeated = np.zeros((*lead, H_kv * n_rep, T, D))  # (..., H, T, D)
    for b in np.ndindex(*lead):
        for h in range(H_kv * n_rep):
            repeated[(*b, h)] = x[(*b, h // n_rep)]
    return (repeated,)


def multi_head_attention(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Return ``(out, weights)``: every head has keys and values of its own."""
    return grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_heads, mask)


def grouped_query_attention(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Return ``(out, weights)``, sequence by sequence, head by head, query by query."""
    *lead, T, d_model = X.shape
    if d_model % n_heads:
        return (_not_divisible(d_model, n_heads),)
    if n_heads % n_kv_heads:
        return (Raises("ValueError", "multihead.not_a_multiple", {"n_heads": n_heads, "n_kv_heads": n_kv_heads}),)
    D = d_model // n_heads
    weights, out = np.zeros((*lead, n_heads, T, T)), np.zeros((*lead, T, d_model))  # (..., H, T, T), (..., T, d_model)
    visible = np.ones(weights.shape, bool) if mask is None else np.broadcast_to(mask, weights.shape)  # (..., H, T, T)
    for b in np.ndindex(*lead):
        queries, keys, values = (_project(X[b], W) for W in (W_q, W_k, W_v))  # T lists each
        found = [[0.0] * d_model for _ in range(T)]  # what all heads found, side by side
        for h in range(n_heads):
            own, shared = h * D, h // (n_heads // n_kv_heads) * D  # first column of the query head, of its KV head
            for i in range(T):
                scores = [
                    math.fsum(queries[i][own + c] * keys[j][shared + c] for c in range(D)) / math.sqrt(D)
                    for j in range(T)
                ]
                row = _softmax(scores, visible[(*b, h, i)].tolist())
                weights[(*b, h, i)] = row
                for c in range(D):
                    found[i][own + c] = math.fsum(row[j] * values[j][shared + c] for j in range(T))
        out[b] = _project(found, W_o)
    return out, weights


def kv_cache_bytes(n_layers, n_kv_heads, head_dim, seq_len, batch=1, bytes_per_value=2):
    """Return ``(n_bytes,)``, counting the numbers of one token first."""
    numbers_of_a_token = 0
    for _ in ("key", "value"):
        numbers_of_a_token += n_layers * n_kv_heads * head_dim
    return (numbers_of_a_token * (seq_len * batch) * bytes_per_value,)


def _not_divisible(d_model, n_heads):
    return Raises("ValueError", "multihead.not_divisible", {"d_model": d_model, "n_heads": n_heads})


def _project(rows, W):
    """Return rows times W as lists of Python floats."""
    columns = W.T.tolist()
    rows = rows.tolist() if isinstance(rows, np.ndarray) else rows
    return [[math.fsum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in rows]


def _softmax(scores, visible):
    """Return the weights of one row; hidden entries get 0."""
    top = max(s for s, seen in zip(scores, visible, strict=True) if seen)
    powers = [math.exp(s - top) if seen else 0.0 for s, seen in zip(scores, visible, strict=True)]
    total = math.fsum(powers)
    return [p / total for p in powers]


# --- the largest magnitude that enters an exponential, for the float32 tolerance --------------------------------------


def score_scale(X, W_q, W_k, W_v, W_o, n_heads, mask=None):
    """Return the largest magnitude of the scaled scores of any head."""
    return grouped_score_scale(X, W_q, W_k, W_v, W_o, n_heads, n_heads, mask)


def grouped_score_scale(X, W_q, W_k, W_v, W_o, n_heads, n_kv_heads, mask=None):
    """Return the largest magnitude of the scaled scores of any query head."""
    if X.shape[-1] % n_heads or n_heads % n_kv_heads:
        return 0.0
    D, X = X.shape[-1] // n_heads, X.astype(float)
    Q, K = X @ W_q.astype(float), X @ W_k.astype(float)  # (..., T, H * D), (..., T, H_kv * D)
    top = 0.0
    for h in range(n_heads):
        kv = h // (n_heads // n_kv_heads)
        q, k = Q[..., h * D : (h + 1) * D], K[..., kv * D : (kv + 1) * D]  # (..., T, D) each
        scores = np.einsum("...ic,...jc->...ij", q, k) / math.sqrt(D)  # (..., T, T)
        top = max(top, float(np.abs(scores).max(initial=0.0)))
    return top
