"""Other parameter names, extra options behind the documented ones (C29), callables of other kinds (C30)."""
from collections import namedtuple

import numpy as num

Result = namedtuple("Result", "out weights")


def padding_mask(n_tokens, size, *, left=False, dtype=bool):
    positions = num.arange(size)[::-1] if left else num.arange(size)
    return (positions < n_tokens.reshape(-1, 1, 1)).astype(dtype)


from_blocked = num.logical_not


def sliding_window_mask(n, w, s=0, **options):
    i, j = num.ogrid[:n, :n]
    return (j <= i) & ((i - j < w) | (j < s))


class _Combination:
    def __call__(self, *all_of_them):
        there = [m for m in all_of_them if m is not None]
        return num.logical_and.reduce(num.broadcast_arrays(*there)) if there else None


combine_masks = _Combination()

safe_softmax = lambda logits, axis=-1: (  # noqa: E731
    lambda e: e / num.where(e.sum(axis, keepdims=True) == 0, 1, e.sum(axis, keepdims=True))
)(num.exp(logits - num.maximum(logits.max(axis, keepdims=True), num.finfo(logits.dtype).min)))


def masked_attention(queries, keys, values, visible=None, scale=None):
    scale = queries.shape[-1] ** -0.5 if scale is None else scale
    s = scale * (queries @ num.moveaxis(keys, -1, -2))
    w = safe_softmax(s if visible is None else num.where(visible, s, -num.inf))
    return Result(weights=w, out=w @ values)


def cross_attention(*args, **options):
    text, other, W_q, W_k, W_v, *rest = args
    return masked_attention(text @ W_q, other @ W_k, other @ W_v, *rest, **options)
