"""Prints, warnings, asserts and annotations cost nothing; helpers stand below those that use them (C30)."""
import sys
import warnings

import numpy as np
from numpy.typing import NDArray

print("masks loaded", file=sys.stderr)


def cross_attention(X, Z, W_q, W_k, W_v, mask=None) -> tuple[NDArray, NDArray]:
    assert X.ndim == Z.ndim
    print("asking", X.shape, "of", Z.shape)
    return masked_attention(X @ W_q, Z @ W_k, Z @ W_v, mask)


def masked_attention(Q, K, V, mask: NDArray | None = None):
    warnings.warn("an attention is being computed")
    scores = _scores(Q, K)
    weights = safe_softmax(scores if mask is None else np.where(mask, scores, -np.inf))
    return weights @ V, weights


def safe_softmax(x: NDArray) -> NDArray:
    top = x.max(axis=-1, keepdims=True)
    if (empty := np.isneginf(top)).any():
        print(int(empty.sum()), "rows see nothing")
    e = np.exp(x - top)
    return np.where(empty, 0, e / e.sum(axis=-1, keepdims=True))


def combine_masks(*masks: NDArray | None) -> NDArray | None:
    match [m for m in masks if m is not None]:
        case []:
            return None
        case [only]:
            return only
        case [first, *others]:
            return first & combine_masks(*others)


def sliding_window_mask(T: int, window: int, sinks: int = 0) -> NDArray[np.bool_]:
    print(f"{T=} {window=} {sinks=}")
    return np.tri(T, dtype=bool) & (_distance(T) < window) | np.tri(T, dtype=bool) & (np.arange(T) < sinks)


def from_blocked(mask):
    return ~mask


def padding_mask(lengths, T: int):
    print(lengths, "of", T)
    return np.arange(T) < lengths[:, None, None]


def _scores(Q, K):
    return Q @ K.swapaxes(-1, -2) / np.sqrt(Q.shape[-1])


def _distance(T):
    return np.arange(T)[:, None] - np.arange(T)
