"""Parameters have other names, some positional-only (C29)."""
import numpy as np


def causal_mask(length, /):
    return np.tri(length, dtype=bool)


def softmax(logits, /):
    e = np.exp(logits - logits.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def attention(queries, keys, values, visible=None, /):
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    if visible is not None:
        scores = np.where(visible, scores, -np.inf)
    weights = softmax(scores)
    return weights @ values, weights


def causal_self_attention(tokens, to_query, to_key, to_value, to_gate=None, /):
    result, weights = attention(tokens @ to_query, tokens @ to_key, tokens @ to_value, causal_mask(tokens.shape[-2]))
    if to_gate is not None:
        result = result * sigmoid(tokens @ to_gate)
    return result, weights


def sigmoid(number, /):
    return 1 / (1 + np.exp(-number))
