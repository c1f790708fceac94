"""Wrong versions of ``gated_multi_head_attention``: where the gate stands and how it acts."""

import numpy as np

from attnlab.gates import attention, gate_values, merge_heads, split_heads
from attnlab.labs.gates.misconceptions.registry import wrong


@wrong("gated_multi_head_attention", section="places")
def gate_ignored(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate is computed and then used nowhere."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    out, weights = attention(Q, K, V, mask)
    out = merge_heads(out) @ W_o
    return out, weights


@wrong("gated_multi_head_attention", section="places")
def position_ignored(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate stands at G1 whatever position is asked for."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate)
    out = merge_heads(out) @ W_o
    return out, weights


@wrong("gated_multi_head_attention", section="places")
def queries_and_keys_exchanged(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """G3 gates the queries and G4 the keys."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G3" else Q
    K = join(K, gate) if position == "G4" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="places", variant_of="queries_and_keys_exchanged")
def values_and_keys_exchanged(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """G2 gates the keys and G3 the values."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G2" else K
    V = join(V, gate) if position == "G3" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="why-g1")
def values_gated_by_the_query(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """A gate on the values is applied to the output instead, where it belongs to the query's token."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position in ("G1", "G2") else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="why-g1")
def output_gated_by_the_keys(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """A gate on the output is applied to the values instead, where it belongs to the key's token."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position in ("G1", "G2") else V
    out, weights = attention(Q, K, V, mask)
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="places")
def gate_behind_the_output_projection(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """A gate on each head's output is applied after W_o instead of before it."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    if position == "G1":
        out = join(out, merge_heads(gate + np.zeros(Q.shape)))
    return out, weights


@wrong("gated_multi_head_attention", section="places", variant_of="gate_behind_the_output_projection")
def gate_before_the_output_projection(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """A gate on the result is applied before W_o instead of after it."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out)
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    out = out @ W_o
    return out, weights


@wrong("gated_multi_head_attention", "A90", section="why-g1")
def gate_from_output(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate is computed from what attention found instead of from the token itself."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    if position == "G1":
        out = join(out, gate_values(merge_heads(out), W_gate, n_heads, activation))
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="places")
def gate_on_the_weights(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """A gate on the output is multiplied into the returned weights as well."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    if position == "G1":
        weights = join(weights, gate.mean(axis=-1, keepdims=True))
    return out, weights


@wrong("gated_multi_head_attention", section="combine")
def gate_added_for_multiplied(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate is added where it should multiply."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="combine")
def gate_multiplied_for_added(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate multiplies where it should be added."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="combine")
def gated_part_added(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gated output is added to the ungated one."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    gate = 1 + gate if combine == "multiply" else gate
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="combine")
def gate_turned_round(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The output is multiplied by one minus the gate."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    gate = 1 - gate
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(out, gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights


@wrong("gated_multi_head_attention", section="combine")
def gate_squared(
    X, W_q, W_k, W_v, W_o, W_gate, n_heads, position="G1", activation="sigmoid", combine="multiply", mask=None
):
    """The gate is applied twice."""
    if position not in ("G1", "G2", "G3", "G4", "G5"):
        raise ValueError("unknown position")
    if combine not in ("multiply", "add"):
        raise ValueError("unknown combination")
    gate = gate_values(X, W_gate, 1 if position == "G5" else n_heads, activation)
    join = np.multiply if combine == "multiply" else np.add
    Q, K, V = split_heads(X @ W_q, n_heads), split_heads(X @ W_k, n_heads), split_heads(X @ W_v, n_heads)
    Q = join(Q, gate) if position == "G4" else Q
    K = join(K, gate) if position == "G3" else K
    V = join(V, gate) if position == "G2" else V
    out, weights = attention(Q, K, V, mask)
    out = join(join(out, gate), gate) if position == "G1" else out
    out = merge_heads(out) @ W_o
    out = join(out, gate[..., 0, :, :]) if position == "G5" else out
    return out, weights
