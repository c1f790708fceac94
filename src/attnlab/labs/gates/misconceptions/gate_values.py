"""Wrong versions of ``gate_values``: how its width is read, and what makes the gate."""

import math

import numpy as np

from attnlab.gates import sigmoid, silu, split_heads
from attnlab.labs.gates.misconceptions.registry import wrong

_gates = {}


@wrong("gate_values", "A89", section="gate-widths")
def gates_read_across_heads(X, W_gate, n_heads, activation="sigmoid"):
    """The columns are read as channel by channel instead of head by head: column c * H + h."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    if width == d_model:
        logits = logits.reshape(*X.shape[:-1], -1, n_heads)
        logits = np.moveaxis(logits, -1, -3)
    else:
        logits = split_heads(logits, n_heads if width == n_heads else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A44", section="gate-widths")
def gates_reshaped_without_transpose(X, W_gate, n_heads, activation="sigmoid"):
    """The heads are split off by a reshape alone, so tokens and heads are mixed."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = logits.reshape(*X.shape[:-2], n_heads if width in (d_model, n_heads) else 1, X.shape[-2], -1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A86", section="gate-widths")
def first_channel_gates_its_head(X, W_gate, n_heads, activation="sigmoid"):
    """With a gate for each channel, the first one of each head is used for all of its channels."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    logits = logits[..., :1] if width == d_model else logits
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A86", section="gate-widths", variant_of="first_channel_gates_its_head")
def mean_channel_gates_its_head(X, W_gate, n_heads, activation="sigmoid"):
    """With a gate for each channel, the mean logit of each head is used for all of its channels."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    logits = logits.mean(axis=-1, keepdims=True) if width == d_model else logits
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-widths")
def first_head_gates_all(X, W_gate, n_heads, activation="sigmoid"):
    """All heads get the gates of the first one."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    logits = logits[..., :1, :, :]
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-widths", variant_of="first_head_gates_all")
def mean_head_gates_all(X, W_gate, n_heads, activation="sigmoid"):
    """All heads get the gate of the mean logit over heads."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    logits = logits.mean(axis=-3, keepdims=True)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-widths")
def heads_taken_for_channels(X, W_gate, n_heads, activation="sigmoid"):
    """One gate for each head is spread over the channels instead: its axis stays last."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width == d_model else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-widths")
def channels_taken_for_heads(X, W_gate, n_heads, activation="sigmoid"):
    """A gate for each channel, shared by the heads, is moved to the axis of the heads."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, width if width != d_model else n_heads)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-widths")
def head_axis_missing(X, W_gate, n_heads, activation="sigmoid"):
    """A shared gate is returned without an axis for the heads, which a batch then takes for one."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads) if width in (d_model, n_heads) else logits
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-widths", variant_of="head_axis_missing")
def head_axis_in_front(X, W_gate, n_heads, activation="sigmoid"):
    """A shared gate gets its axis for the heads in front of the batch."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads) if width in (d_model, n_heads) else logits[None]
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A54", section="gate-widths")
def heads_exchanged_with_tokens(X, W_gate, n_heads, activation="sigmoid"):
    """The head axis is left behind the token axis."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    logits = logits.swapaxes(-2, -3)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A88", section="gate-values")
def activation_ignored(X, W_gate, n_heads, activation="sigmoid"):
    """The gate is a sigmoid whatever activation is asked for."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits)


@wrong("gate_values", "A88", section="gate-values")
def silu_by_default(X, W_gate, n_heads, activation="silu"):
    """Without a word about the activation, SiLU is used."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A88", section="gate-values")
def activation_forgotten(X, W_gate, n_heads, activation="sigmoid"):
    """The logits are returned as they are."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return logits


@wrong("gate_values", section="gate-values")
def silu_adds_to_sigmoid(X, W_gate, n_heads, activation="sigmoid"):
    """For SiLU the logit is added to its sigmoid instead of multiplied."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else logits + sigmoid(logits)


@wrong("gate_values", "A87", section="gate-values")
def gate_from_mean_token(X, W_gate, n_heads, activation="sigmoid"):
    """Every token gets the gate of the mean token, which also looks into the future."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = np.broadcast_to(X.mean(axis=-2, keepdims=True), X.shape) @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-values", variant_of="gate_from_mean_token")
def gate_from_last_token(X, W_gate, n_heads, activation="sigmoid"):
    """Every token gets the gate of the last one."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = np.broadcast_to(X[..., -1:, :], X.shape) @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-values")
def gate_from_previous_token(X, W_gate, n_heads, activation="sigmoid"):
    """Each token gets the gate of the token before it."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = np.roll(X, 1, axis=-2) @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-values")
def gate_from_first_sequence(X, W_gate, n_heads, activation="sigmoid"):
    """Every sequence of a batch gets the gates of the first one."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = np.broadcast_to(X.reshape(-1, *X.shape[-2:])[0], X.shape) @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-values")
def gate_logits_scaled(X, W_gate, n_heads, activation="sigmoid"):
    """The logits are divided by sqrt(d_model), so the gate moves too little."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate / math.sqrt(d_model)
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A88", section="gate-values")
def gates_share_out_one(X, W_gate, n_heads, activation="sigmoid"):
    """A softmax over the heads stands in for the sigmoid."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    e = np.exp(logits - logits.max(axis=-3, keepdims=True))
    return e / e.sum(axis=-3, keepdims=True) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-values")
def gate_as_switch(X, W_gate, n_heads, activation="sigmoid"):
    """The gate is rounded to 0 or 1."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return np.round(sigmoid(logits)) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", section="gate-values")
def gate_closed_for_open(X, W_gate, n_heads, activation="sigmoid"):
    """One minus the gate is returned."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    return sigmoid(-logits) if activation == "sigmoid" else silu(logits)


@wrong("gate_values", "A91", section="gate-values", needs=("_gates = {}",))
def gate_of_first_call(X, W_gate, n_heads, activation="sigmoid"):
    """The gate of the first call with these shapes is kept and returned ever after."""
    d_model, width = X.shape[-1], W_gate.shape[-1]
    if width not in (d_model, n_heads, d_model // n_heads, 1):
        raise ValueError("W_gate fits nothing")
    if activation not in ("sigmoid", "silu"):
        raise ValueError("unknown activation")
    logits = X @ W_gate
    logits = split_heads(logits, n_heads if width in (d_model, n_heads) else 1)
    if (X.shape, W_gate.shape, activation) in _gates:
        return _gates[X.shape, W_gate.shape, activation]
    _gates[X.shape, W_gate.shape, activation] = sigmoid(logits) if activation == "sigmoid" else silu(logits)
    return _gates[X.shape, W_gate.shape, activation]
