"""Inputs for what only moves numbers about: splitting and merging heads, repeating key-value heads."""

import math

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


def distinct(n, *shape, dtype=np.float64):
    """Numbers of which each occurs once, in no order: multiples of the grain, of either sign, none of them 0."""
    steps = n.rng.permutation(math.prod(shape)) + 1  # (size,)
    return (n.rng.choice((-n.grain, n.grain), steps.shape) * steps).reshape(shape).astype(dtype)


def many_digits(n, *shape, dtype=np.float64):
    """The same with digits that neither float16 nor a few decimal places hold."""
    return distinct(n, *shape, dtype=dtype) + n.rng.uniform(0.01, 0.1, shape).astype(dtype)


def ordered(n, *shape, dtype=np.float64):
    """Numbers a step of 1 apart (from a random start below 0) in reading order: easy to follow by eye."""
    return np.arange(math.prod(shape), dtype=dtype).reshape(shape) - n.rng.integers(1, 10) + dtype(0.25)


def to_split(n, T, H, D, lead=(), dtype=np.float64, make=distinct):
    """Rows of H * D numbers."""
    return make(n, *lead, T, H * D, dtype=dtype), H


def uneven(n, T, H, D, lead=()):
    """Once a width that the heads cannot share out evenly, once one that they can."""
    rest = int(n.rng.integers(1, H))
    bad = distinct(n, *lead, T, H * D + rest), H
    return bad, to_split(n, T, H, D, lead)


def to_merge(n, T, H, D, lead=(), dtype=np.float64, make=distinct):
    """What H heads hold."""
    return (make(n, *lead, H, T, D, dtype=dtype),)


def to_repeat(n, H_kv, n_rep, T, D, lead=(), dtype=np.float64, make=distinct):
    """Key-value heads and how often each is needed."""
    return make(n, *lead, H_kv, T, D, dtype=dtype), n_rep


def _in(build, lead=(), **numbers):
    """A batch of this shape, of such numbers."""
    return lambda n, **sizes: build(n, **sizes, lead=lead, **numbers)


SIZES, GROUPS = ("T", "H", "D"), ("H_kv", "n_rep", "T", "D")

SPLIT_HEADS = {
    "split_heads.values": (
        S("numbers in reading order", _in(to_split, make=ordered), SIZES, cases=2),
        S("sizes that differ", to_split, SIZES, cases=3),
        S("numbers of many digits", _in(to_split, make=many_digits), SIZES),
        S("as many heads as numbers to each", lambda n, T, H: to_split(n, T, H, H), ("T", "H")),
        S("as many tokens as heads", lambda n, T, D: to_split(n, T, T, D), ("T", "D")),
        S("one head", lambda n, T, D: to_split(n, T, 1, D), ("T", "D")),
        S("one number to a head", lambda n, T, H: to_split(n, T, H, 1), ("T", "H")),
        S("one token", lambda n, H, D: to_split(n, 1, H, D), ("H", "D")),
        S("float32", lambda n, T, H, D: to_split(n, T, H, D, dtype=F32), SIZES),
    ),
    "split_heads.batch": (
        S("one leading axis", _in(to_split, (6,)), SIZES, high=5, cases=2),
        S("two leading axes", _in(to_split, (2, 3)), SIZES, high=5),
        S("three leading axes", _in(to_split, (2, 1, 3)), SIZES, high=4),
        S("a batch of one", _in(to_split, (1,)), SIZES),
        S("as many sequences as tokens", lambda n, T, H, D: to_split(n, T, H, D, (T,)), SIZES),
        S("as many sequences as heads", lambda n, T, H, D: to_split(n, T, H, D, (H,)), SIZES),
        S("a batch of one token each", lambda n, b, H, D: to_split(n, 1, H, D, (b,)), ("b", "H", "D")),
    ),
    "split_heads.divisible": (
        S("a width that leaves a rest", uneven, SIZES, cases=2, together=True),
        S("a batch of such a width", _in(uneven, (2,)), SIZES, together=True),
        S("more heads than numbers",
          lambda n, T, H: ((distinct(n, T, H - 1), H), (distinct(n, T, H), H)), ("T", "H"), together=True),
        S("tokens that would fill the gap",
          lambda n, H, D: ((distinct(n, H, D * H + 1), H), to_split(n, H, H, D)), ("H", "D"), together=True),
    ),
    "split_heads.inputs": (
        S("a read-only array", to_split, SIZES, layout="readonly"),
        S("an array filled again between calls", to_split, SIZES, layout="refill"),
        S("a view with gaps", to_split, SIZES, layout="strided"),
        S("columns closest in memory", to_split, SIZES, layout="fortran"),
        S("a batch, columns closest in memory", _in(to_split, (2,)), SIZES, layout="fortran"),
    ),
}  # fmt: skip

MERGE_HEADS = {
    "merge_heads.values": (
        S("sizes that differ", to_merge, SIZES, cases=4),
        S("numbers of many digits", _in(to_merge, make=many_digits), SIZES),
        S("as many heads as numbers to each", lambda n, T, H: to_merge(n, T, H, H), ("T", "H")),
        S("as many tokens as heads", lambda n, T, D: to_merge(n, T, T, D), ("T", "D")),
        S("as many tokens as numbers to a head", lambda n, T, H: to_merge(n, T, H, T), ("T", "H")),
        S("one head", lambda n, T, D: to_merge(n, T, 1, D), ("T", "D")),
        S("one number to a head", lambda n, T, H: to_merge(n, T, H, 1), ("T", "H")),
        S("one token", lambda n, H, D: to_merge(n, 1, H, D), ("H", "D")),
        S("float32", lambda n, T, H, D: to_merge(n, T, H, D, dtype=F32), SIZES),
    ),
    "merge_heads.batch": (
        S("one leading axis", _in(to_merge, (6,)), SIZES, high=5, cases=2),
        S("two leading axes", _in(to_merge, (2, 3)), SIZES, high=5),
        S("three leading axes", _in(to_merge, (2, 1, 3)), SIZES, high=4),
        S("a batch of one", _in(to_merge, (1,)), SIZES),
        S("as many sequences as heads", lambda n, T, H, D: to_merge(n, T, H, D, (H,)), SIZES),
        S("as many sequences as tokens", lambda n, T, H, D: to_merge(n, T, H, D, (T,)), SIZES),
        S("a batch of one token each", lambda n, b, H, D: to_merge(n, 1, H, D, (b,)), ("b", "H", "D")),
    ),
    "merge_heads.inputs": (
        S("a read-only array", to_merge, SIZES, layout="readonly"),
        S("an array filled again between calls", to_merge, SIZES, layout="refill"),
        S("a view with gaps", to_merge, SIZES, layout="strided"),
        S("columns closest in memory", to_merge, SIZES, layout="fortran"),
        S("a batch, columns closest in memory", _in(to_merge, (2,)), SIZES, layout="fortran"),
    ),
}  # fmt: skip

REPEAT_KV = {
    "repeat_kv.values": (
        S("sizes that differ", to_repeat, GROUPS, high=5, cases=4),
        S("numbers of many digits", _in(to_repeat, make=many_digits), GROUPS, high=5),
        S("as many groups as heads to a group", lambda n, H_kv, T, D: to_repeat(n, H_kv, H_kv, T, D),
          ("H_kv", "T", "D")),
        S("one key-value head", lambda n, n_rep, T, D: to_repeat(n, 1, n_rep, T, D), ("n_rep", "T", "D")),
        S("a head for each query head", lambda n, H_kv, T, D: to_repeat(n, H_kv, 1, T, D), ("H_kv", "T", "D")),
        S("one token", lambda n, H_kv, n_rep, D: to_repeat(n, H_kv, n_rep, 1, D), ("H_kv", "n_rep", "D")),
        S("one number to a head", lambda n, H_kv, n_rep, T: to_repeat(n, H_kv, n_rep, T, 1), ("H_kv", "n_rep", "T")),
        S("float32", lambda n, H_kv, n_rep, T, D: to_repeat(n, H_kv, n_rep, T, D, dtype=F32), GROUPS, high=5),
    ),
    "repeat_kv.batch": (
        S("one leading axis", _in(to_repeat, (6,)), GROUPS, high=5, cases=2),
        S("two leading axes", _in(to_repeat, (2, 3)), GROUPS, high=5),
        S("three leading axes", lambda n, H_kv, n_rep, D: to_repeat(n, H_kv, n_rep, 2, D, (2, 1, 3)),
          ("H_kv", "n_rep", "D")),
        S("a batch of one", _in(to_repeat, (1,)), GROUPS, high=5),
        S("as many sequences as heads",
          lambda n, H_kv, n_rep, T, D: to_repeat(n, H_kv, n_rep, T, D, (H_kv,)), GROUPS, high=5),
    ),
    "repeat_kv.inputs": (
        S("a read-only array", to_repeat, GROUPS, high=5, layout="readonly"),
        S("an array filled again between calls", to_repeat, GROUPS, high=5, layout="refill"),
        S("a view with gaps", to_repeat, GROUPS, high=5, layout="strided"),
        S("columns closest in memory", to_repeat, GROUPS, high=5, layout="fortran"),
    ),
}  # fmt: skip
