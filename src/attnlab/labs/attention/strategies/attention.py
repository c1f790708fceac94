"""Inputs for attention."""

import math

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32

# The worked example of the lesson: three tokens, d_k = d_v = 2.
WORKED_Q = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
WORKED_K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
WORKED_V = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])


def qkv(n, T_q, T_k, d_k, d_v, lead=(), dtype=np.float64, spread=2.0):
    """Ordinary queries, keys and values."""
    return (
        n.array(*lead, T_q, d_k, spread=spread, dtype=dtype),
        n.array(*lead, T_k, d_k, spread=spread, dtype=dtype),
        n.array(*lead, T_k, d_v, spread=3.0, dtype=dtype),
    )


def some_mask(n, *shape):
    """A mask in which every row sees at least one key and, where there is room, hides at least one."""
    order = n.rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)  # (..., T_q, T_k)
    return order < n.rng.integers(1, max(2, shape[-1]), (*shape[:-1], 1))  # (..., T_q, T_k)


def masked(n, T_q, T_k, d_k, d_v, lead=(), mask_lead=None, dtype=np.float64, spread=2.0):
    """Queries, keys, values and a mask whose leading axes may be fewer or of length 1."""
    mask_lead = lead if mask_lead is None else mask_lead
    return (*qkv(n, T_q, T_k, d_k, d_v, lead, dtype, spread), some_mask(n, *mask_lead, T_q, T_k))


def causal(n, T, d_k, d_v, lead=(), dtype=np.float64):
    """As many queries as keys, under the causal mask."""
    return (*qkv(n, T, T, d_k, d_v, lead, dtype), np.tri(T, dtype=bool))


def root(d_k):
    """The largest power of two up to sqrt(d_k): multiplying by it is exact in float32."""
    return 2.0 ** math.floor(math.log2(d_k) / 2)


def levelled(n, T_q, T_k, d_k, d_v, size=1e4, lead=(), mask=True, dtype=np.float64):
    """Scores near +size in some rows, near -size in others: levels differ between rows, not within one."""
    Q, K, V = qkv(n, T_q, T_k, d_k, d_v, lead, dtype=np.float64, spread=1.0)
    levels = n.rng.permuted(np.round(np.linspace(-size, size, T_q)))  # (T_q,)
    Q[..., 0] = levels * root(d_k)  # (..., T_q)
    K[..., 0] = 1.0
    arrays = tuple(a.astype(dtype) for a in (Q, K, V))
    return (*arrays, some_mask(n, T_q, T_k)) if mask else arrays


def permuted(n, T, d_k, d_v, lead=()):
    """The same tokens twice, the second time in another order; the order travels as a fourth, unused item."""
    X = qkv(n, T, T, d_k, d_v, lead)
    order = np.roll(n.rng.permutation(T), 1)
    if np.array_equal(order, np.arange(T)):
        order = order[::-1].copy()
    return X, tuple(a[..., order, :].copy() for a in X)


def with_zero_rows(n, T_q, T_k, d_k, d_v):
    """Some scores are exactly 0."""
    Q, K, V, mask = masked(n, T_q, T_k, d_k, d_v)
    Q[0], K[-1] = 0.0, 0.0
    return Q, K, V, mask


def low_visible(n, T_q, T_k, d_k, d_v, size=1e4):
    """Every score, hidden or visible, is near -size: a finite sentinel such as -1e4 is not below them."""
    Q, K, V, mask = masked(n, T_q, T_k, d_k, d_v, spread=1.0)
    Q[:, 0] = -size * math.sqrt(d_k)
    K[:, 0] = 1.0
    return Q, K, V, mask


def high_hidden(n, T_q, T_k, d_k, d_v, gap=680.0):
    """The same keys are hidden from every query, and their scores stand hundreds above the visible ones."""
    visible = some_mask(n, T_k)  # (T_k,)
    Q, K, V = qkv(n, T_q, T_k, d_k, d_v, spread=1.0)
    Q[:, 0] = root(d_k)
    K[:, 0] = np.where(visible, 0.0, gap * math.sqrt(d_k) / root(d_k))
    return Q, K, V, np.tile(visible, (T_q, 1))


def many_digits(n, T_q, T_k, d_k, d_v, size=9000.0):
    """Every score is near `size`, and what makes them differ goes beyond what float32 holds."""
    Q = n.rng.uniform(0.9999, 1.0001, (T_q, d_k))  # (T_q, d_k)
    K = size / math.sqrt(d_k) + n.rng.uniform(-1.0, 1.0, (T_k, d_k))  # (T_k, d_k)
    return Q, K, n.array(T_k, d_v, spread=3.0)


def off_diagonal(n, T, d_k, d_v):
    """As many queries as keys, and no token sees itself."""
    mask = some_mask(n, T, T - 1)  # (T, T - 1)
    hole = np.zeros((T, T), bool)
    hole[~np.eye(T, dtype=bool)] = mask.ravel()
    return (*qkv(n, T, T, d_k, d_v), hole)


def all_visible(n, T_q, T_k, d_k, d_v, shape, lead=()):
    """A mask of an unusual shape that hides nothing."""
    return (*qkv(n, T_q, T_k, d_k, d_v, lead), np.ones(shape(T_q, T_k), bool))


def large_values(n, T_q, T_k, d_k, d_v):
    """Values in the millions."""
    Q, K, V, mask = masked(n, T_q, T_k, d_k, d_v)
    return Q, K, V * 1e6, mask


def large_hidden_values(n, T_q, T_k, d_k, d_v):
    """The same keys are hidden from every query, and their values are large."""
    visible = some_mask(n, T_k)  # (T_k,)
    Q, K, V = qkv(n, T_q, T_k, d_k, d_v)
    V[~visible] += 1000.0
    return Q, K, V, np.tile(visible, (T_q, 1))


SIZES = ("T_q", "T_k", "d_k", "d_v")

ATTENTION = {
    "attention.worked": (
        S("the worked example with and without its mask",
          lambda n: ((WORKED_Q, WORKED_K, WORKED_V, np.tri(3, dtype=bool)), (WORKED_Q, WORKED_K, WORKED_V)),
          cases=1, together=True),
        S("the worked example with other numbers", lambda n: causal(n, 3, 2, 2)),
        S("the worked example's shape without a mask", lambda n: qkv(n, 3, 3, 2, 2)),
    ),
    "attention.scale": (
        S("sizes that differ, no mask", qkv, SIZES, cases=4),
        S("wide keys", lambda n, T_q, T_k, d_v: qkv(n, T_q, T_k, 49, d_v, spread=0.75), ("T_q", "T_k", "d_v")),
        S("four numbers to a key", lambda n, T_q, T_k, d_v: qkv(n, T_q, T_k, 4, d_v), ("T_q", "T_k", "d_v")),
        S("very wide keys", lambda n, T_q, T_k: qkv(n, T_q, T_k, 128, 3, spread=0.5), ("T_q", "T_k")),
        S("one number to a key", lambda n, T_q, T_k, d_v: qkv(n, T_q, T_k, 1, d_v), ("T_q", "T_k", "d_v")),
    ),
    "attention.reference": (
        S("fewer queries than keys", lambda n, T_q, more, d_k, d_v: qkv(n, T_q, T_q + more, d_k, d_v),
          ("T_q", "more", "d_k", "d_v")),
        S("more queries than keys", lambda n, T_k, more, d_k, d_v: qkv(n, T_k + more, T_k, d_k, d_v),
          ("T_k", "more", "d_k", "d_v")),
        S("one query", lambda n, T_k, d_k, d_v: qkv(n, 1, T_k, d_k, d_v), ("T_k", "d_k", "d_v")),
        S("one key", lambda n, T_q, d_k, d_v: qkv(n, T_q, 1, d_k, d_v), ("T_q", "d_k", "d_v")),
        S("one number to a value", lambda n, T_q, T_k, d_k: qkv(n, T_q, T_k, d_k, 1), ("T_q", "T_k", "d_k")),
        S("all sizes equal", lambda n, T: qkv(n, T, T, T, T), ("T",)),
        S("all sizes equal, masked", lambda n, T: causal(n, T, T, T), ("T",)),
        S("scores that are exactly 0", with_zero_rows, SIZES),
        S("a longer sequence", lambda n, T: causal(n, T, 5, 3), ("T",), low=65, high=75),
        S("more than a hundred keys", lambda n, T_q, T_k: masked(n, T_q, T_k, 3, 2), ("T_q",), fixed={"T_k": 133}),
        S("wide values", lambda n, T_q, T_k, d_k: qkv(n, T_q, T_k, d_k, 33), ("T_q", "T_k", "d_k")),
        S("large values", large_values, SIZES),
    ),
    "attention.mask": (
        S("a causal mask", causal, ("T", "d_k", "d_v"), cases=3),
        S("any mask", masked, SIZES, cases=4),
        S("each query sees one key",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v),
                                         np.eye(T_k, dtype=bool)[n.rng.integers(0, T_k, T_q)]), SIZES),
        S("a mask that hides nothing",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), np.ones((T_q, T_k), bool)), SIZES),
        S("mask=None said aloud", lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), None), SIZES),
        S("no mask, as many queries as keys", lambda n, T, d_k, d_v: qkv(n, T, T, d_k, d_v), ("T", "d_k", "d_v")),
        S("a square mask in which no token sees itself", off_diagonal, ("T", "d_k", "d_v"), low=3),
        S("any square mask", lambda n, T, d_k, d_v: masked(n, T, T, d_k, d_v), ("T", "d_k", "d_v"), low=3, cases=2),
        S("one visible answer for each query",
          lambda n, T_q, T_k, d_k, d_v: all_visible(n, T_q, T_k, d_k, d_v, lambda q, k: (q, 1)), SIZES),
        S("one visible answer for all",
          lambda n, T_q, T_k, d_k, d_v: all_visible(n, T_q, T_k, d_k, d_v, lambda q, k: (1, 1)), SIZES),
        S("an anti-causal mask",
          lambda n, T, d_k, d_v: (*qkv(n, T, T, d_k, d_v), np.tri(T, dtype=bool).T.copy()), ("T", "d_k", "d_v")),
        S("large values at hidden positions", large_hidden_values, SIZES),
    ),
    "attention.batch": (
        S("one leading axis", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)),
          ("b", *SIZES), cases=3),
        S("one leading axis, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
        S("two leading axes", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b, 2)), ("b", *SIZES)),
        S("two leading axes, no mask",
          lambda n, b, h, T, d_k, d_v: qkv(n, T, T, d_k, d_v, (b, h)), ("b", "h", "T", "d_k", "d_v")),
        S("three leading axes", lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (2, 3, 2)), SIZES),
        S("leading axes of length 1", lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (1, 2, 1)), SIZES),
        S("one mask for the whole batch",
          lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,), ()), ("b", *SIZES)),
        S("one causal mask for two leading axes",
          lambda n, b, h, T, d_k, d_v: causal(n, T, d_k, d_v, (b, h)), ("b", "h", "T", "d_k", "d_v")),
        S("a mask shared by the heads",
          lambda n, b, h, T_q, T_k: masked(n, T_q, T_k, 3, 4, (b, h), (b, 1)), ("b", "h", "T_q", "T_k")),
        S("a padding mask for every query",
          lambda n, b, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v, (b,)), some_mask(n, b, 1, T_k)), ("b", *SIZES)),
        S("a mask with fewer leading axes",
          lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (2, 3), (3,)), SIZES),
        S("a padding mask for each head of every sequence",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v, (2, 3)), some_mask(n, 3, 1, T_k)), SIZES),
        S("a mask with a leading axis of length 1",
          lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,), (1,)), ("b", *SIZES)),
        S("one mask, as many sequences as queries",
          lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (T_q,), ()), SIZES),
        S("one visible answer for each query of a batch",
          lambda n, b, T_q, T_k, d_k, d_v: all_visible(n, T_q, T_k, d_k, d_v, lambda q, k: (b, q, 1), (b,)),
          ("b", *SIZES)),
        S("a mask with one axis",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), some_mask(n, T_k)), SIZES),
        S("a cube", lambda n, T: qkv(n, T, T, T, T, (T,)), ("T",), high=4),
        S("a masked cube with four axes", lambda n, T: causal(n, T, T, T, (T, T)), ("T",), high=3),
    ),
    "attention.large": (
        S("scores near 10000 and -10000", levelled, SIZES, low=3, cases=3),
        S("scores near 10000 and -10000, no mask",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, mask=False), SIZES, low=3),
        S("scores near 1000", lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, 1200.0), SIZES, low=3),
        S("every score near -10000", low_visible, SIZES),
        S("hidden scores hundreds above the visible ones", high_hidden, SIZES, cases=2),
        S("a batch of large scores",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, lead=(2,)), SIZES, low=3),
        S("scores near 9000 with many digits", many_digits, SIZES, cases=2),
        S("scores spread over thousands, no mask",
          lambda n, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, spread=60.0), SIZES),
    ),
    "attention.float32": (
        S("float32", lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, dtype=F32), SIZES, cases=3),
        S("a float32 batch, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,), F32), ("b", *SIZES)),
        S("a float32 causal batch",
          lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,), F32), ("b", "T", "d_k", "d_v")),
        S("float32 scores near 200",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, 200.0, dtype=F32), SIZES, low=3),
        S("float32 scores near 10000",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, 8192.0, dtype=F32), SIZES, low=3),
    ),
    "attention.permutation": (
        S("the same tokens in another order", permuted, ("T", "d_k", "d_v"), low=3, cases=3, together=True),
        S("a batch in another order", permuted, ("T", "d_k", "d_v"), low=3, lead=(1, 1), together=True),
    ),
    "attention.inputs": (
        S("read-only arrays", masked, SIZES, layout="readonly"),
        S("read-only arrays, no mask", qkv, SIZES, layout="readonly"),
        S("arrays filled again between calls", masked, SIZES, layout="refill"),
        S("views with gaps", masked, SIZES, layout="strided"),
        S("columns closest in memory", masked, SIZES, layout="fortran"),
        S("a batch with columns closest in memory",
          lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES), layout="fortran"),
        S("a batch used twice", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
        S("a read-only causal batch", lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,)), ("b", "T", "d_k", "d_v"),
          layout="readonly"),
    ),
}  # fmt: skip
