"""Lab `gates` from the formulas, by plain loops in float64. Slow on purpose, independent of the core.

No gate is ever broadcast here: every gate is looked up in the column of `W_gate` where the contract says it stands.
"""

import math

import numpy as np

from ..model import Raises

PLACES = ("G1", "G2", "G3", "G4", "G5")


def sigmoid(x):
    """Return ``(gate,)``, number by number."""
    return (_each(_sigmoid, x),)


def silu(x):
    """Return ``(gate,)``, number by number."""
    return (_each(ACTIVATIONS["silu"], x),)


def gate_values(X, W_gate, n_heads, activation="sigmoid"):
    """Return ``(gate,)`` of the full shape (..., H, T, D), or what must be raised."""
    *lead, T, d_model = X.shape
    D, width = d_model // n_heads, W_gate.shape[1]
    column = _column_of(width, d_model, n_heads)
    if column is None:
        return (Raises("ValueError", "gates.other_width", {"width": width, "d_model": d_model, "H": n_heads, "D": D}),)
    if activation not in ACTIVATIONS:
        return (Raises("ValueError", "gates.other_activation", {"activation": activation}),)
    gate = np.zeros((*lead, n_heads, T, D))  # (..., H, T, D)
    for b in np.ndindex(*lead):
        logits = _project(X[b], W_gate)  # T lists of width numbers
        for h, t, c in np.ndindex(n_heads, T, D):
            gate[(*b, h, t, c)] = ACTIVATIONS[activation](logits[t][column(h, c, D)])
    return (gate,)


def gated_multi_head_attention(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """Return ``(out, weights)``, sequence by sequence, head by head, query by query; or what must be raised."""
    *lead, T, d_model = X.shape
    if position not in PLACES:
        return (Raises("ValueError", "gates.other_position", {"position": position}),)
    if combine not in COMBINED:
        return (Raises("ValueError", "gates.other_combine", {"combine": combine}),)
    if position == "G5" and W_gate.shape[1] not in (1, d_model):
        return (Raises("ValueError", "gates.other_width_at_G5", {"width": W_gate.shape[1], "d_model": d_model}),)
    (gate,) = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    if isinstance(gate, Raises):
        return (gate,)
    D = d_model // n_heads
    weights, out = np.zeros((*lead, n_heads, T, T)), np.zeros((*lead, T, d_model))  # (..., H, T, T), (..., T, d_model)
    visible = np.ones(weights.shape, bool) if mask is None else np.broadcast_to(mask, weights.shape)  # (..., H, T, T)

    def at(place, number, b, h, t, c):
        return COMBINED[combine](number, gate[(*b, h, t, c)]) if place == position else number

    for b in np.ndindex(*lead):
        queries, keys, values = (_project(X[b], W) for W in (W_q, W_k, W_v))  # T lists of d_model numbers each
        found = [[0.0] * d_model for _ in range(T)]  # what all heads found, side by side
        for h, t, c in np.ndindex(n_heads, T, D):
            queries[t][h * D + c] = at("G4", queries[t][h * D + c], b, h, t, c)
            keys[t][h * D + c] = at("G3", keys[t][h * D + c], b, h, t, c)
            values[t][h * D + c] = at("G2", values[t][h * D + c], b, h, t, c)
        for h, i in np.ndindex(n_heads, T):
            own = range(h * D, (h + 1) * D)  # the columns of this head
            scores = [math.fsum(queries[i][c] * keys[j][c] for c in own) / math.sqrt(D) for j in range(T)]
            row = _softmax(scores, visible[(*b, h, i)].tolist())
            weights[(*b, h, i)] = row
            for c in own:
                average = math.fsum(row[j] * values[j][c] for j in range(T))
                found[i][c] = at("G1", average, b, h, i, c - h * D)
        for i, mixed in enumerate(_project(found, W_o)):
            for c, number in enumerate(mixed):
                out[(*b, i, c)] = at("G5", number, b, 0, i, c)
    return out, weights


def sink_share(weights):
    """Return ``(share,)``, adding up row after row."""
    *lead, T, _ = weights.shape
    found = [float(weights[(*b, i, 0)]) for b in np.ndindex(*lead) for i in range(1, T)]
    return (math.fsum(found) / len(found),)


def gate_sparsity(gate, threshold=0.1):
    """Return ``(share,)``, counting one by one."""
    shut = sum(1 for number in gate.ravel().tolist() if number < threshold)
    return (shut / gate.size,)


def _sigmoid(v):
    return 1 / (1 + math.exp(-v)) if v >= 0 else math.exp(v) / (1 + math.exp(v))


ACTIVATIONS = {"sigmoid": _sigmoid, "silu": lambda v: v * _sigmoid(v)}
COMBINED = {"multiply": lambda number, gate: number * gate, "add": lambda number, gate: number + gate}


def _column_of(width, d_model, n_heads):
    """Return which column of `W_gate` holds the gate of head h, channel c; None for a width that says nothing."""
    if width == d_model:
        return lambda h, c, D: h * D + c
    if width == n_heads:
        return lambda h, c, D: h
    if width == d_model // n_heads:
        return lambda h, c, D: c
    return (lambda h, c, D: 0) if width == 1 else None


def _each(function, x):
    result = np.zeros(x.shape)  # (...)
    for index in np.ndindex(x.shape):
        result[index] = function(float(x[index]))
    return result


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


def logit_scale(x):
    """Return the largest magnitude in `x`."""
    return float(np.abs(x.astype(float)).max(initial=0.0))


def gate_scale(X, W_gate, n_heads, activation="sigmoid"):
    """Return the largest magnitude of the gate logits."""
    return float(np.abs(X.astype(float) @ W_gate.astype(float)).max(initial=0.0))


def gated_scale(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """Return the largest magnitude of the gate logits, and a bound of that of the scaled scores of any head."""
    gate, D = gate_scale(X, W_gate, n_heads), X.shape[-1] // n_heads
    Q, K = (np.abs(X.astype(float) @ W.astype(float)).max(initial=0.0) for W in (W_q, W_k))
    most = max(gate, 1.0)
    if combine == "add":
        Q, K = Q + most * (position == "G4"), K + most * (position == "G3")
    elif activation == "silu" and position in ("G3", "G4"):
        Q = Q * most
    return max(gate, float(Q * K * math.sqrt(D)))
