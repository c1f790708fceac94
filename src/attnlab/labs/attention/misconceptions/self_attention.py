"""Wrong versions of ``causal_self_attention`` that are wrong without the gate."""

import math

import numpy as np

from attnlab.attention import attention, causal_mask, sigmoid, softmax
from attnlab.labs.attention.misconceptions.registry import wrong

_MASK = None


@wrong("causal_self_attention", "A17", section="self-attention")
def mask_forgotten(X, W_q, W_k, W_v, W_gate=None):
    """No mask is passed on, so every token sees the future."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A3", section="causal-mask")
def past_hidden(X, W_q, W_k, W_v, W_gate=None):
    """The causal mask is transposed, so each token sees itself and the future."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]).T)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A4", section="causal-mask")
def mask_negated(X, W_q, W_k, W_v, W_gate=None):
    """The negated mask is passed on, so only the future is visible and the last token sees nothing."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, ~causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A2", section="causal-mask")
def own_mask_one_too_far(X, W_q, W_k, W_v, W_gate=None):
    """A mask of its own lets each token see the next one, the very token to be predicted."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, np.tri(X.shape[-2], k=1, dtype=bool))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A5", section="hiding")
def future_cut_after_softmax(X, W_q, W_k, W_v, W_gate=None):
    """The future is cut from the finished weights, so rows sum to less than 1."""
    V = X @ W_v
    _, weights = attention(X @ W_q, X @ W_k, V)
    weights = weights * causal_mask(X.shape[-2])
    out = weights @ V
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A48", section="self-attention")
def projections_transposed(X, W_q, W_k, W_v, W_gate=None):
    """X is multiplied by the transposed projections, as in a layer that stores (out, in)."""
    out, weights = attention(X @ W_q.T, X @ W_k.T, X @ W_v.T, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A51", section="three-roles")
def query_and_key_exchanged(X, W_q, W_k, W_v, W_gate=None):
    """Queries are projected with W_k and keys with W_q."""
    out, weights = attention(X @ W_k, X @ W_q, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A51", section="three-roles", variant_of="values_are_the_keys")
def value_and_key_exchanged(X, W_q, W_k, W_v, W_gate=None):
    """Keys are projected with W_v and values with W_k."""
    out, weights = attention(X @ W_q, X @ W_v, X @ W_k, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A51", section="three-roles")
def values_are_the_keys(X, W_q, W_k, W_v, W_gate=None):
    """The keys are handed over as values too, and W_v is never used."""
    K = X @ W_k
    out, weights = attention(X @ W_q, K, K, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A51", section="three-roles")
def keys_are_the_queries(X, W_q, W_k, W_v, W_gate=None):
    """The keys are projected with W_q, so the scores are symmetric."""
    Q = X @ W_q
    out, weights = attention(Q, Q, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", section="three-roles")
def values_not_projected(X, W_q, W_k, W_v, W_gate=None):
    """The raw tokens are averaged instead of their values."""
    out, weights = attention(X @ W_q, X @ W_k, X, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", section="three-roles")
def tokens_compared_raw(X, W_q, W_k, W_v, W_gate=None):
    """The raw tokens are compared with each other; only the values are projected."""
    out, weights = attention(X, X, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A52", section="self-attention")
def length_from_first_axis(X, W_q, W_k, W_v, W_gate=None):
    """T is read from axis 0, which is the batch as soon as there is one."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(len(X)))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A52", "A53", section="self-attention", variant_of="length_from_first_axis")
def length_from_second_axis(X, W_q, W_k, W_v, W_gate=None):
    """T is read from axis 1, which is the sequence only with exactly one batch axis."""
    T = X.shape[1]
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(T))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A52", section="self-attention")
def batch_read_as_one_sequence(X, W_q, W_k, W_v, W_gate=None):
    """All sequences of a batch are joined into one, so later ones look into earlier ones."""
    joined = X.reshape(-1, X.shape[-1])
    out, weights = attention(joined @ W_q, joined @ W_k, joined @ W_v, causal_mask(len(joined)))
    out = out.reshape(*X.shape[:-1], -1)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A35", section="why-sqrt")
def scale_from_d_model(X, W_q, W_k, W_v, W_gate=None):
    """The scores are divided by sqrt(d_model) instead of sqrt(d_k)."""
    Q, K, V = X @ W_q, X @ W_k, X @ W_v
    scores = Q @ K.swapaxes(-1, -2) / math.sqrt(X.shape[-1])
    weights = softmax(np.where(causal_mask(X.shape[-2]), scores, -np.inf))
    out = weights @ V
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A39", section="why-sqrt")
def scaled_twice(X, W_q, W_k, W_v, W_gate=None):
    """The queries are divided by sqrt(d_k) before attention divides the scores once more."""
    Q = X @ W_q / math.sqrt(W_q.shape[-1])
    out, weights = attention(Q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", section="six-steps")
def softmax_once_more(X, W_q, W_k, W_v, W_gate=None):
    """softmax is applied to the weights that attention has already normalised, so the future leaks back in."""
    V = X @ W_v
    _, weights = attention(X @ W_q, X @ W_k, V, causal_mask(X.shape[-2]))
    weights = softmax(weights)
    out = weights @ V
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", section="self-attention")
def residual_added(X, W_q, W_k, W_v, W_gate=None):
    """The input is added to the output, as around a whole layer of a transformer."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out + X, weights


@wrong("causal_self_attention", section="self-attention")
def last_token_only(X, W_q, W_k, W_v, W_gate=None):
    """Only the last token's output is returned, as when generating text."""
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out[..., -1, :], weights[..., -1, :]


@wrong("causal_self_attention", section="self-attention")
def weights_not_returned(X, W_q, W_k, W_v, W_gate=None):
    """Only the output is returned, without the weights."""
    out, _ = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out


@wrong("causal_self_attention", "A87", section="self-attention")
def always_gated(X, W_q, W_k, W_v, W_gate=None):
    """Without W_gate a gate of zeros is used, which halves the output."""
    if W_gate is None:
        W_gate = np.zeros_like(W_v)
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    return sigmoid(X @ W_gate) * out, weights


@wrong("causal_self_attention", "A12", section="how-to-work")
def tokens_centred_in_place(X, W_q, W_k, W_v, W_gate=None):
    """The tokens are centred in place before they are projected, which changes the caller's array."""
    X -= X.mean(axis=-1, keepdims=True)
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights


@wrong("causal_self_attention", "A106", needs=("_MASK = None",), section="how-to-work")
def mask_of_first_length(X, W_q, W_k, W_v, W_gate=None):
    """The mask made for the first sequence is kept for sequences of every other length."""
    global _MASK
    if _MASK is None:
        _MASK = causal_mask(X.shape[-2])
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, _MASK)
    if W_gate is not None:
        out = sigmoid(X @ W_gate) * out
    return out, weights
