"""Type hints, some of them naming things that do not exist at run time."""
from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

import numpy as np

if TYPE_CHECKING:
    from torch import Tensor

Array = np.ndarray


def causal_mask(T: int) -> Array["bool"]:
    return np.tri(T, dtype=bool)


def softmax(x: Array | Tensor) -> Array:
    e: Array = np.exp(x - x.max(axis=-1, keepdims=True))
    total: Array = e.sum(axis=-1, keepdims=True)
    return e / total


def attention(Q: Array, K: Array, V: Array, mask: Optional[Array] = None) -> Tuple[Array, Array]:
    scores: Array = Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    weights: Array = softmax(scores)
    return weights @ V, weights


def causal_self_attention(
    X: Array, W_q: Array, W_k: Array, W_v: Array, W_gate: Array | None = None
) -> tuple[Array, Array]:
    out, weights = attention(X @ W_q, X @ W_k, X @ W_v, causal_mask(X.shape[-2]))
    if W_gate is not None:
        out = out * sigmoid(X @ W_gate)
    return out, weights


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))
