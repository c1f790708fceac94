"""Wrong versions of the gate on the output of ``causal_self_attention``."""

import math

import numpy as np

from attnlab.attention import attention, causal_mask, sigmoid, softmax
from attnlab.labs.attention.misconceptions.registry import wrong


@wrong("gate", section="gate")
def gate_ignored(X, W_q, W_k, W_v, W_gate=None):
    """W_gate is accepted but never used."""
    return attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))


@wrong("gate", "A90", section="gate")
def gate_from_output(X, W_q, W_k, W_v, W_gate=None):
    """The gate is computed from the attention output instead of the token's own hidden state."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(out @ W_gate) * out
    return out, weights


@wrong("gate", "A87", section="gate")
def gate_from_last_token(X, W_q, W_k, W_v, W_gate=None):
    """One gate, computed from the last token, is used for all tokens, which also leaks the future."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X[..., -1:, :] @ W_gate) * out
    return out, weights


@wrong("gate", section="gate")
def gate_from_first_token(X, W_q, W_k, W_v, W_gate=None):
    """One gate, computed from the first token, is used for all tokens."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X[..., :1, :] @ W_gate) * out
    return out, weights


@wrong("gate", section="gate", variant_of="gate_from_last_token")
def gate_from_mean_token(X, W_q, W_k, W_v, W_gate=None):
    """The gate is computed from the mean of all tokens, which also leaks the future."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X.mean(axis=-2, keepdims=True) @ W_gate) * out
    return out, weights


@wrong("gate", section="gate", variant_of="gate_from_first_token")
def gate_from_previous_token(X, W_q, W_k, W_v, W_gate=None):
    """Each output is gated by the token before it, the first by the last."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(np.roll(X, 1, axis=-2) @ W_gate) * out
    return out, weights


@wrong("gate", section="gate")
def gate_from_first_sequence(X, W_q, W_k, W_v, W_gate=None):
    """Every sequence of a batch is gated by the tokens of the first one."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        first = X.reshape(-1, *X.shape[-2:])[0]
        out = sigmoid(first @ W_gate) * out
    return out, weights


@wrong("gate", "A88", section="gate")
def gate_without_sigmoid(X, W_q, W_k, W_v, W_gate=None):
    """The output is multiplied by the gate logits themselves."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = (X @ W_gate) * out
    return out, weights


@wrong("gate", "A88", section="gate", variant_of="gate_with_tanh")
def gate_with_silu(X, W_q, W_k, W_v, W_gate=None):
    """SiLU takes the place of sigmoid."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        logits = X @ W_gate
        out = logits * sigmoid(logits) * out
    return out, weights


@wrong("gate", "A88", section="gate", variant_of="gate_with_tanh")
def gate_with_root_of_sigmoid(X, W_q, W_k, W_v, W_gate=None):
    """The square root of sigmoid takes its place."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = np.sqrt(sigmoid(X @ W_gate)) * out
    return out, weights


@wrong("gate", "A88", section="gate")
def gate_with_tanh(X, W_q, W_k, W_v, W_gate=None):
    """tanh takes the place of sigmoid."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = np.tanh(X @ W_gate) * out
    return out, weights


@wrong("gate", "A88", section="gate")
def gate_with_softmax(X, W_q, W_k, W_v, W_gate=None):
    """softmax over the channels takes the place of sigmoid."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = softmax(X @ W_gate) * out
    return out, weights


@wrong("gate", section="sigmoid")
def gate_without_overflow_care(X, W_q, W_k, W_v, W_gate=None):
    """A sigmoid written out as e^x / (1 + e^x) gives NaN for large gate logits."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        e = np.exp(X @ W_gate)
        out = e / (1 + e) * out
    return out, weights


@wrong("gate", section="gate")
def gate_reversed(X, W_q, W_k, W_v, W_gate=None):
    """One minus the gate is used, so it opens where it should shut."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ -W_gate) * out
    return out, weights


@wrong("gate", section="gate")
def gate_added(X, W_q, W_k, W_v, W_gate=None):
    """The gate is added to the output instead of multiplied."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) + out
    return out, weights


@wrong("gate", section="gate")
def gate_as_residual(X, W_q, W_k, W_v, W_gate=None):
    """The gated output is added to the ungated one."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out + out
    return out, weights


@wrong("gate", section="gate")
def gate_applied_twice(X, W_q, W_k, W_v, W_gate=None):
    """The output is multiplied by the gate twice."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) ** 2 * out
    return out, weights


@wrong("gate", "A86", section="gate")
def one_gate_for_all_channels(X, W_q, W_k, W_v, W_gate=None):
    """The gate is averaged over the channels, so an element-wise gate acts as a head-wise one."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate).mean(axis=-1, keepdims=True) * out
    return out, weights


@wrong("gate", section="gate")
def elementwise_gate_only(X, W_q, W_k, W_v, W_gate=None):
    """A gate of one column is refused although head-wise gates are legal."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        if W_gate.shape != W_v.shape:
            raise ValueError(f"W_gate must have the shape of W_v, {W_v.shape}, not {W_gate.shape}")
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("gate", section="gate", variant_of="one_gate_for_all_channels")
def headwise_gate_only(X, W_q, W_k, W_v, W_gate=None):
    """Only the first column of W_gate is used, so every gate acts as a head-wise one."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate[:, :1]) * out
    return out, weights


@wrong("gate", section="gate")
def headwise_gate_loses_its_axis(X, W_q, W_k, W_v, W_gate=None):
    """A head-wise gate is squeezed to (..., T) and meets the channels of the output instead of its tokens."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(np.squeeze(X @ W_gate)) * out
    return out, weights


@wrong("gate", "A87", section="gate", variant_of="elementwise_gate_only")
def unexpected_gate_shape_taken_for_zeros(X, W_q, W_k, W_v, W_gate=None):
    """When the gate's shape is not that of the output, zero logits are used, a constant gate of one half."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        logits = X @ W_gate
        if logits.shape != out.shape:
            logits = np.zeros_like(out)
        out = sigmoid(logits) * out
    return out, weights


@wrong("gate", "B30", section="gate")
def zero_gate_skipped(X, W_q, W_k, W_v, W_gate=None):
    """A W_gate of zeros is taken for no gate at all, where it should halve the output."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None and np.any(W_gate):
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("gate", section="gate")
def truth_of_a_gate(X, W_q, W_k, W_v, W_gate=None):
    """`if W_gate:` asks a whole array for one truth value, which raises an error."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("gate", section="gate")
def gate_on_values(X, W_q, W_k, W_v, W_gate=None):
    """The gate sits on the values (G2), computed from the key's token instead of the query's."""
    V = X @ W_v
    if W_gate is not None:
        V = sigmoid(X @ W_gate) * V
    return attention(X @ W_q, X @ W_k, V, causal_mask(X.shape[-2]))


@wrong("gate", section="gate")
def gate_on_queries(X, W_q, W_k, W_v, W_gate=None):
    """The gate sits on the queries (G4) instead of the output."""
    Q = X @ W_q
    if W_gate is not None:
        Q = sigmoid(X @ W_gate) * Q
    return attention(Q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))


@wrong("gate", section="gate", variant_of="gate_on_queries")
def gate_on_tokens(X, W_q, W_k, W_v, W_gate=None):
    """The tokens are gated before they are projected."""
    if W_gate is not None:
        X = sigmoid(X @ W_gate) * X
    return attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))


@wrong("gate", section="gate")
def gate_on_weights(X, W_q, W_k, W_v, W_gate=None):
    """A head-wise gate multiplies the weights, which are returned gated."""
    V = X @ W_v
    out, weights = attention(X @ W_q, X @ W_k, V, causal_mask(X.shape[-2]))
    if W_gate is not None:
        gate = sigmoid(X @ W_gate)
        if gate.shape[-1] == 1:
            weights = gate * weights
            out = weights @ V
        else:
            out = gate * out
    return out, weights


@wrong("gate", section="gate")
def gate_returned_as_weights(X, W_q, W_k, W_v, W_gate=None):
    """The gate is returned where the attention weights belong."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        gate = sigmoid(X @ W_gate)
        return gate * out, gate
    return out, weights


@wrong("gate", section="gate")
def gate_as_a_switch(X, W_q, W_k, W_v, W_gate=None):
    """The gate is rounded to 0 or 1, so it is either shut or open."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = np.round(sigmoid(X @ W_gate)) * out
    return out, weights


@wrong("gate", section="gate")
def gate_scaled_by_width(X, W_q, W_k, W_v, W_gate=None):
    """The gate logits are divided by sqrt(d_model), so the gate moves too little."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate / math.sqrt(X.shape[-1])) * out
    return out, weights
