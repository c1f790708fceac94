"""Functions with two faults each, in spellings of their own, and what each should be told about.

Written as students write, not as the registry does: other formulas, loops, einsum, names. The functions call right
helpers, unless they write a helper's work out again. What is measured on them stands in ``test_two_faults.py``.
"""

import math

import numpy as np

from attnlab.attention import attention, causal_mask, sigmoid, softmax

MADE: list[tuple[str, frozenset[str], object]] = []


def made_of(part, *ideas):
    """Record the decorated function as a version of `part` with the faults `ideas`."""

    def record(function):
        MADE.append((part, frozenset(ideas), function))
        return function

    return record


# attention: the scale and something else


@made_of("attention", "no_scale", "mask_result_dropped")
def forgets_scale_and_mask(Q, K, V, mask=None):
    w = softmax(np.einsum("...qd,...kd->...qk", Q, K))
    return np.einsum("...qk,...kv->...qv", w, V), w


@made_of("attention", "no_scale", "mask_inverted")
def unscaled_and_inverted(q, k, v, m=None):
    s = np.matmul(q, np.swapaxes(k, -2, -1))
    if m is not None:
        s = s.copy()
        np.putmask(s, np.broadcast_to(m, s.shape), -np.inf)
    w = softmax(s)
    return np.matmul(w, v), w


@made_of("attention", "no_scale", "hidden_scores_set_to_zero")
def unscaled_zero_fill(Q, K, V, mask=None):
    scores = Q @ np.moveaxis(K, -1, -2)
    if mask is not None:
        scores = np.where(mask, scores, 0.0)
    p = softmax(scores)
    return p @ V, p


@made_of("attention", "no_scale", "masked_after_softmax")
def unscaled_late_mask(Q, K, V, mask=None):
    p = softmax(np.einsum("...id,...jd->...ij", Q, K))
    if mask is not None:
        p = np.where(mask, p, 0)
    return p @ V, p


@made_of("attention", "no_scale", "softmax_over_queries")
def unscaled_columns(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-2, -1)
    if mask is not None:
        s = np.where(np.logical_not(mask), -1e9, s)
    s = s - s.max(axis=-2, keepdims=True)
    w = np.exp(s) / np.exp(s).sum(axis=-2, keepdims=True)
    return w @ V, w


@made_of("attention", "no_scale", "weights_before_output")
def unscaled_wrong_order(Q, K, V, mask=None):
    logits = np.einsum("...qd,...kd->...qk", Q, K)
    if mask is not None:
        logits[np.broadcast_to(~mask, logits.shape)] = -np.inf
    probabilities = softmax(logits)
    return probabilities, np.einsum("...qk,...kv->...qv", probabilities, V)


@made_of("attention", "no_scale", "keys_averaged_instead_of_values")
def unscaled_keys(Q, K, V, mask=None):
    logits = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        logits = logits + np.where(mask, 0, -np.inf)
    w = softmax(logits)
    return np.einsum("...qk,...kd->...qd", w, K), w


@made_of("attention", "no_scale", "softmax_twice")
def unscaled_twice(Q, K, V, mask=None):
    x = np.matmul(Q, K.swapaxes(-1, -2))
    if mask is not None:
        x = np.where(mask, x, -np.inf)
    for _ in range(2):
        x = softmax(x)
    return x @ V, x


@made_of("attention", "no_scale", "mask_ignored_in_batches")
def unscaled_two_axes(Q, K, V, mask=None):
    x = np.matmul(Q, K.swapaxes(-1, -2))
    if mask is not None and len(mask.shape) == 2:
        x = np.where(mask, x, -np.inf)
    w = softmax(x)
    return w @ V, w


@made_of("attention", "no_scale", "always_causal")
def unscaled_causal(Q, K, V, mask=None):
    x = np.matmul(Q, K.swapaxes(-1, -2))
    visible = np.arange(K.shape[-2]) <= np.arange(Q.shape[-2])[:, None]
    if mask is not None:
        visible = np.logical_and(visible, mask)
    w = softmax(np.where(visible, x, -1e9))
    return w @ V, w


@made_of("attention", "no_scale", "fill_of_wrong_sign")
def unscaled_plus_a_billion(Q, K, V, mask=None):
    x = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        x = np.where(~mask, 1e9, x)
    w = softmax(x)
    return w @ V, w


@made_of("attention", "no_scale", "weights_returned_unmasked")
def unscaled_and_raw_weights(Q, K, V, mask=None):
    x = Q @ K.swapaxes(-1, -2)
    hidden = x if mask is None else np.where(mask, x, -np.inf)
    return softmax(hidden) @ V, softmax(x)


@made_of("attention", "divided_by_d_k", "mask_result_dropped")
def divides_by_width_and_ignores_mask(Q, K, V, mask=None):
    d = K.shape[-1]
    w = softmax((Q / d) @ K.swapaxes(-1, -2))
    return w @ V, w


@made_of("attention", "divided_by_d_k", "mask_inverted")
def divides_by_width_and_inverts(Q, K, V, mask=None):
    s = np.einsum("...qd,...kd->...qk", Q, K) * (1 / Q.shape[-1])
    if mask is not None:
        s = s + np.where(mask, -np.inf, 0)
    w = softmax(s)
    return w @ V, w


@made_of("attention", "divided_by_d_k", "weights_returned_transposed")
def divides_by_width_and_turns(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / K.shape[-1]
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, np.moveaxis(w, -1, -2)


@made_of("attention", "multiplied_by_root_d_k", "masked_after_softmax")
def multiplies_and_masks_late(Q, K, V, mask=None):
    w = softmax(np.sqrt(Q.shape[-1]) * (Q @ K.swapaxes(-1, -2)))
    if mask is not None:
        w = w * mask.astype(w.dtype)
    return w @ V, w


@made_of("attention", "scale_from_d_v", "mask_result_dropped")
def width_of_values_no_mask(Q, K, V, mask=None):
    w = softmax(Q @ K.swapaxes(-1, -2) * V.shape[-1] ** -0.5)
    return w @ V, w


@made_of("attention", "scale_from_number_of_keys", "mask_added_as_numbers")
def root_of_keys_and_added_mask(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(K.shape[-2])
    if mask is not None:
        s = s + np.asarray(mask, dtype=float)
    w = softmax(s)
    return w @ V, w


@made_of("attention", "no_scale", "all_axes_reversed")
def unscaled_and_all_axes(Q, K, V, mask=None):
    s = np.matmul(Q, np.transpose(K))
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, w


@made_of("attention", "no_scale", "key_reshaped")
def unscaled_and_reshaped(Q, K, V, mask=None):
    flat = np.reshape(K, (*K.shape[:-2], K.shape[-1], K.shape[-2]))
    s = Q @ flat
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = softmax(s)
    return w @ V, w


# attention: the mask and the rest


@made_of("attention", "mask_result_dropped", "weights_before_output")
def no_mask_wrong_order(Q, K, V, mask=None):
    w = softmax((Q / math.sqrt(Q.shape[-1])) @ K.swapaxes(-1, -2))
    return w, w @ V


@made_of("attention", "mask_result_dropped", "keys_averaged_instead_of_values")
def no_mask_keys(Q, K, V, mask=None):
    w = softmax(Q @ K.swapaxes(-1, -2) / Q.shape[-1] ** 0.5)
    return w @ K, w


@made_of("attention", "mask_inverted", "softmax_twice")
def inverted_twice(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(~mask, s, -np.inf)
    w = softmax(softmax(s))
    return w @ V, w


@made_of("attention", "hidden_scores_set_to_zero", "weights_returned_transposed")
def zero_fill_turned(Q, K, V, mask=None):
    s = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, s, 0)
    w = softmax(s)
    return w @ V, np.einsum("...qk->...kq", w)


@made_of("attention", "mask_result_dropped", "scores_returned_as_weights")
def no_mask_and_scores(Q, K, V, mask=None):
    s = np.einsum("...qd,...kd->...qk", Q, K) / np.sqrt(Q.shape[-1])
    return softmax(s) @ V, s


@made_of("attention", "masked_after_softmax", "weights_before_output")
def late_mask_wrong_order(Q, K, V, mask=None):
    w = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1]))
    if mask is not None:
        w = np.where(mask, w, 0.0)
    return w, w @ V


@made_of("attention", "mask_inverted", "all_axes_reversed")
def inverted_and_all_axes(Q, K, V, mask=None):
    s = Q @ K.T / np.sqrt(Q.shape[-1])
    if mask is not None:
        s = np.where(mask, -np.inf, s)
    w = softmax(s)
    return w @ V, w


@made_of("attention", "mask_result_dropped", "softmax_over_queries")
def no_mask_columns(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    e = np.exp(s - s.max(axis=-2, keepdims=True))
    w = e / e.sum(axis=-2, keepdims=True)
    return w @ V, w


@made_of("attention", "query_scaled_in_place", "mask_result_dropped")
def in_place_no_mask(Q, K, V, mask=None):
    np.divide(Q, np.sqrt(Q.shape[-1]), out=Q)
    w = softmax(Q @ K.swapaxes(-1, -2))
    return w @ V, w


@made_of("attention", "no_scale", "no_max_subtraction")
def unscaled_and_own_overflow(Q, K, V, mask=None):
    s = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    w = np.exp(s)
    w = w / np.sum(w, axis=-1, keepdims=True)
    return w @ V, w


# softmax


@made_of("softmax", "no_max_subtraction", "over_axis_before_last")
def columns_without_shift(x):
    e = np.exp(x)
    return e / np.sum(e, axis=-2, keepdims=True)


@made_of("softmax", "no_max_subtraction", "over_all_entries")
def everything_without_shift(x):
    return np.exp(x) / np.exp(x).sum()


@made_of("softmax", "base_two", "over_axis_before_last")
def powers_of_two_down_columns(x):
    e = 2.0 ** (x - np.max(x, axis=-2, keepdims=True))
    return e / np.sum(e, axis=-2, keepdims=True)


@made_of("softmax", "no_max_subtraction", "base_two")
def powers_of_two_without_shift(x):
    e = np.power(2.0, x)
    return e / np.sum(e, axis=-1, keepdims=True)


@made_of("softmax", "no_max_subtraction", "thousandth_in_denominator")
def no_shift_and_epsilon(x):
    e = np.exp(x)
    return e / (1e-3 + np.sum(e, axis=-1, keepdims=True))


@made_of("softmax", "changes_its_input", "over_axis_before_last")
def columns_in_place(x):
    np.subtract(x, x.max(axis=-2, keepdims=True), out=x)
    e = np.exp(x)
    return e / np.add.reduce(e, axis=-2, keepdims=True)


@made_of("softmax", "changes_its_input", "thousandth_in_denominator")
def in_place_and_epsilon(x):
    x -= np.amax(x, axis=-1, keepdims=True)
    e = np.exp(x)
    return e / (e.sum(-1, keepdims=True) + 0.001)


@made_of("softmax", "rounded_to_four_digits", "over_axis_before_last")
def rounded_columns(x):
    e = np.exp(x - x.max(-2, keepdims=True))
    return (e / e.sum(-2, keepdims=True)).round(4)


@made_of("softmax", "mean_subtracted", "over_axis_before_last")
def centred_columns(x):
    e = np.exp(x - np.mean(x, axis=-2, keepdims=True))
    return e / e.sum(-2, keepdims=True)


@made_of("softmax", "base_two", "thousandth_in_denominator")
def two_and_epsilon(x):
    e = 2 ** (x - x.max(-1, keepdims=True))
    return e / (e.sum(-1, keepdims=True) + 1e-3)


@made_of("softmax", "base_two", "changes_its_input")
def two_in_place(x):
    x -= x.max(-1)[..., None]
    e = np.exp(x * np.log(2))
    return e / e.sum(-1)[..., None]


@made_of("softmax", "truncated_to_integers", "over_axis_before_last")
def whole_numbers_down_columns(x):
    e = np.exp(x - x.max(-2, keepdims=True))
    return (e / e.sum(-2, keepdims=True)).astype(int)


@made_of("softmax", "minus_infinity_made_zero", "base_two")
def cleaned_and_two(x):
    x = np.nan_to_num(x, neginf=0.0)
    e = 2.0 ** (x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


# causal_mask


@made_of("causal_mask", "true_means_hidden", "extra_batch_axis")
def hidden_with_an_axis(T):
    rows, columns = np.indices((T, T))
    return (columns > rows)[np.newaxis]


@made_of("causal_mask", "one_future_token", "integer_triangle")
def too_far_in_numbers(T):
    return np.tril(np.ones((T, T), dtype=int), k=1)


@made_of("causal_mask", "diagonal_excluded", "integer_triangle")
def strict_in_numbers(T):
    return np.tril(np.ones((T, T)), -1)


@made_of("causal_mask", "triangle_transposed", "integer_triangle")
def upper_in_numbers(T):
    return np.triu(np.ones((T, T)))


@made_of("causal_mask", "diagonal_excluded", "extra_batch_axis")
def strict_with_an_axis(T):
    positions = np.arange(T)
    return (positions[:, None] > positions).reshape(1, T, T)


# causal_self_attention


@made_of("causal_self_attention", "mask_forgotten", "query_and_key_exchanged")
def no_mask_and_exchanged(X, W_q, W_k, W_v, W_gate=None):
    q, k, v = (np.einsum("...tm,md->...td", X, W) for W in (W_k, W_q, W_v))
    out, w = attention(q, k, v, None)
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "mask_forgotten", "values_are_the_keys")
def no_mask_and_no_values(X, W_q, W_k, W_v, W_gate=None):
    K = np.matmul(X, W_k)
    out, w = attention(np.matmul(X, W_q), K, K)
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "past_hidden", "query_and_key_exchanged")
def past_hidden_and_exchanged(X, W_q, W_k, W_v, W_gate=None):
    T = X.shape[-2]
    out, w = attention(X @ W_k, X @ W_q, X @ W_v, np.arange(T) >= np.arange(T)[:, None])
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "mask_forgotten", "scaled_twice")
def no_mask_and_scaled_twice(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q / W_q.shape[1] ** 0.5, X @ W_k, X @ W_v)
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "residual_added", "mask_forgotten")
def residual_and_no_mask(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(np.matmul(X, W_q), np.matmul(X, W_k), np.matmul(X, W_v))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return np.add(X, out), w


@made_of("causal_self_attention", "own_mask_one_too_far", "keys_are_the_queries")
def too_far_and_symmetric(X, W_q, W_k, W_v, W_gate=None):
    q = np.matmul(X, W_q)
    T = q.shape[-2]
    out, w = attention(q, q, np.matmul(X, W_v), np.arange(T) <= np.arange(T)[:, None] + 1)
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "mask_forgotten", "no_scale")
def written_out_without_scale_and_mask(X, W_q, W_k, W_v, W_gate=None):
    q, k, v = X @ W_q, X @ W_k, X @ W_v
    w = softmax(q @ k.swapaxes(-1, -2))
    out = w @ v
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "query_and_key_exchanged", "no_scale")
def written_out_exchanged_without_scale(X, W_q, W_k, W_v, W_gate=None):
    q, k, v = X @ W_k, X @ W_q, X @ W_v
    w = softmax(np.where(causal_mask(X.shape[-2]), np.einsum("...qd,...kd->...qk", q, k), -np.inf))
    out = w @ v
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "own_mask_one_too_far", "no_scale")
def written_out_too_far_without_scale(X, W_q, W_k, W_v, W_gate=None):
    q, k, v = X @ W_q, X @ W_k, X @ W_v
    T = X.shape[-2]
    w = softmax(np.where(np.triu(np.ones((T, T)), 2) == 0, q @ k.swapaxes(-1, -2), -np.inf))
    out = w @ v
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "values_not_projected", "mask_forgotten")
def raw_values_no_mask(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(np.matmul(X, W_q), np.matmul(X, W_k), X)
    return (out if W_gate is None else out * sigmoid(X @ W_gate)), w


@made_of("causal_self_attention", "mask_forgotten", "weights_not_returned")
def no_mask_output_only(X, W_q, W_k, W_v, W_gate=None):
    out = attention(np.matmul(X, W_q), np.matmul(X, W_k), np.matmul(X, W_v))[0]
    return out if W_gate is None else out * sigmoid(X @ W_gate)


# the gate


@made_of("gate", "gate_from_output", "gate_with_softmax")
def softmax_of_the_output(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * softmax(np.matmul(out, W_gate))
    return out, w


@made_of("gate", "gate_reversed", "gate_applied_twice")
def reversed_twice(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * (1.0 - sigmoid(X @ W_gate)) ** 2
    return out, w


@made_of("gate", "gate_from_last_token", "gate_without_sigmoid")
def logits_of_the_last_token(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * np.einsum("...m,mg->...g", X[..., -1, :], W_gate)[..., None, :]
    return out, w


@made_of("gate", "gate_reversed", "gate_as_residual")
def reversed_residual(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out + out * (1 - sigmoid(X @ W_gate))
    return out, w


@made_of("gate", "gate_from_first_token", "gate_with_tanh")
def tanh_of_the_first_token(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * np.tanh((X @ W_gate)[..., :1, :])
    return out, w


@made_of("gate", "gate_from_output", "gate_reversed")
def reversed_from_the_output(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out - out * sigmoid(out @ W_gate)
    return out, w


@made_of("gate", "gate_scaled_by_width", "gate_from_first_token")
def first_token_scaled(X, W_q, W_k, W_v, W_gate=None):
    out, w = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid((X[..., 0:1, :] / np.sqrt(X.shape[-1])) @ W_gate)
    return out, w


# sigmoid


@made_of("sigmoid", "sign_flipped", "clipped_at_ten")
def flipped_and_clipped(x):
    return 1 / (1 + np.exp(np.maximum(np.minimum(x, 10), -10)))


@made_of("sigmoid", "sign_flipped", "negated_in_place")
def flipped_in_place(x):
    np.negative(x, out=x)
    return 1 / (1 + np.exp(-x))
