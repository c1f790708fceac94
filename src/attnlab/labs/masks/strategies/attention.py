"""Inputs for masked_attention."""

import math

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


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


def blinding(n, *shape):
    """A mask in which some rows of every matrix see nothing and some see something."""
    rows = n.rng.permuted(np.broadcast_to(np.arange(shape[-2]), shape[:-1]), axis=-1)  # (..., T_q)
    blind = rows < n.rng.integers(1, max(2, shape[-2]), (*shape[:-2], 1))  # (..., T_q)
    return some_mask(n, *shape) & ~blind[..., None]  # (..., T_q, T_k)


def padding(n, B, T_k, empty=False):
    """A padding mask (B, 1, T_k) of texts of several lengths, one of them without any token if `empty`."""
    lengths = n.rng.integers(1, T_k, B)  # (B,)
    if empty:
        lengths[int(n.rng.integers(B))] = 0
    return np.arange(T_k) < lengths[:, None, None]  # (B, 1, T_k)


def masked(n, T_q, T_k, d_k, d_v, lead=(), mask_lead=None, dtype=np.float64, spread=2.0, mask=some_mask):
    """Queries, keys, values and a mask whose leading axes may be fewer or of length 1."""
    mask_lead = lead if mask_lead is None else mask_lead
    return (*qkv(n, T_q, T_k, d_k, d_v, lead, dtype, spread), mask(n, *mask_lead, T_q, T_k))


def blind(n, T_q, T_k, d_k, d_v, **more):
    """Queries, keys, values and a mask that leaves some queries nothing to look at."""
    return masked(n, T_q, T_k, d_k, d_v, mask=blinding, **more)


def causal(n, T, d_k, d_v, lead=(), dtype=np.float64):
    """As many queries as keys, under the causal mask."""
    return (*qkv(n, T, T, d_k, d_v, lead, dtype), np.tri(T, dtype=bool))


def padded(n, B, T_q, T_k, d_k, d_v, empty=False, dtype=np.float64):
    """A batch of texts of several lengths under its padding mask."""
    return (*qkv(n, T_q, T_k, d_k, d_v, (B,), dtype), padding(n, B, T_k, empty))


def left_padded(n, B, T, d_k, d_v):
    """Texts padded on the left under a causal mask: the first rows see nothing."""
    pads = n.rng.integers(1, T, (B, 1, 1))  # (B, 1, 1)
    mask = np.tri(T, dtype=bool) & (np.arange(T) >= pads)  # (B, T, T)
    return (*qkv(n, T, T, d_k, d_v, (B,)), mask)


def windowed(n, T, d_k, d_v):
    """A short text padded on the right under a window of two: the last rows see nothing."""
    T += 3
    i, j = np.arange(T)[:, None], np.arange(T)  # (T, 1), (T,)
    return (*qkv(n, T, T, d_k, d_v), (j <= i) & (i - j < 2) & (j < int(n.rng.integers(1, T - 2))))


def first_hidden(n, T_q, T_k, d_k, d_v):
    """Key 0 is hidden from everybody, the last key from nobody."""
    mask = some_mask(n, T_q, T_k)  # (T_q, T_k)
    mask[:, 0], mask[:, -1] = False, True
    return (*qkv(n, T_q, T_k, d_k, d_v), mask)


def root(d_k):
    """The largest power of two up to sqrt(d_k): multiplying by it is exact in float32."""
    return 2.0 ** math.floor(math.log2(d_k) / 2)


def levelled(n, T_q, T_k, d_k, d_v, size=1e4, lead=(), dtype=np.float64, mask=blinding):
    """Scores near +size in some rows, near -size in others, and rows that see nothing."""
    Q, K, V = qkv(n, T_q, T_k, d_k, d_v, lead, spread=1.0)
    Q[..., 0] = n.rng.permuted(np.round(np.linspace(-size, size, T_q))) * root(d_k)  # (..., T_q)
    K[..., 0] = 1.0
    return (*(a.astype(dtype) for a in (Q, K, V)), mask(n, T_q, T_k))


def low(n, T_q, T_k, d_k, d_v, size=1e4):
    """Every score, hidden or visible, is near -size: a finite sentinel such as -1e4 is not below them."""
    Q, K, V, mask = blind(n, T_q, T_k, d_k, d_v, spread=1.0)
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


def large_hidden_values(n, T_q, T_k, d_k, d_v, mask=some_mask):
    """Values at hidden positions are huge: the same keys are hidden from all queries that see anything."""
    visible = some_mask(n, T_k)  # (T_k,)
    Q, K, V = qkv(n, T_q, T_k, d_k, d_v)
    V[~visible] += 2.0**40
    return Q, K, V, visible & mask(n, T_q, 1) if mask is blinding else np.tile(visible, (T_q, 1))


SIZES = ("T_q", "T_k", "d_k", "d_v")
TOKENS = ("T", "d_k", "d_v")

MASKED_ATTENTION = {
    "masked_attention.reference": (
        S("sizes that differ, no mask", qkv, SIZES, cases=4),
        S("wide keys", lambda n, T_q, T_k, d_v: qkv(n, T_q, T_k, 49, d_v, spread=0.75), ("T_q", "T_k", "d_v")),
        S("one number to a key", lambda n, T_q, T_k, d_v: qkv(n, T_q, T_k, 1, d_v), ("T_q", "T_k", "d_v")),
        S("one number to a value", lambda n, T_q, T_k, d_k: qkv(n, T_q, T_k, d_k, 1), ("T_q", "T_k", "d_k")),
        S("one query", lambda n, T_k, d_k, d_v: qkv(n, 1, T_k, d_k, d_v), ("T_k", "d_k", "d_v")),
        S("one key", lambda n, T_q, d_k, d_v: qkv(n, T_q, 1, d_k, d_v), ("T_q", "d_k", "d_v")),
        S("as many queries as keys", lambda n, T, d_k, d_v: qkv(n, T, T, d_k, d_v), TOKENS),
        S("all sizes equal", lambda n, T: qkv(n, T, T, T, T), ("T",)),
        S("mask=None said aloud", lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), None), SIZES),
        S("more than a hundred keys", lambda n, T_q: masked(n, T_q, 133, 3, 2), ("T_q",)),
    ),
    "masked_attention.mask": (
        S("any mask", masked, SIZES, cases=3),
        S("a causal mask", causal, TOKENS, low=3, cases=2),
        S("any square mask", lambda n, T, d_k, d_v: masked(n, T, T, d_k, d_v), TOKENS, low=3, cases=2),
        S("the first key hidden, the last one seen", first_hidden, SIZES, low=3),
        S("a mask that hides nothing",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), np.ones((T_q, T_k), bool)), SIZES),
        S("each query sees one key",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v),
                                         np.eye(T_k, dtype=bool)[n.rng.integers(0, T_k, T_q)]), SIZES),
        S("a mask with one axis",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), some_mask(n, T_k)), SIZES, low=3),
        S("huge values at hidden positions", large_hidden_values, SIZES),
    ),
    "masked_attention.empty": (
        S("some queries see nothing", blind, SIZES, low=3, cases=4),
        S("no query sees anything",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), np.zeros((T_q, T_k), bool)), SIZES),
        S("as many queries as keys, some see nothing", lambda n, T, d_k, d_v: blind(n, T, T, d_k, d_v), TOKENS, low=3),
        S("a text padded on the left", left_padded, ("B", *TOKENS), low=3, high=6),
        S("a window beyond the end of the text", windowed, TOKENS, low=3, cases=2),
        S("a text without tokens in the batch",
          lambda n, B, T_q, T_k, d_k, d_v: padded(n, B, T_q, T_k, d_k, d_v, empty=True), ("B", *SIZES), low=2, cases=2),
        S("one answer for each query",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v), blinding(n, T_q, 1)), SIZES, low=3),
        S("one key, hidden from some", lambda n, T_q, d_k, d_v: blind(n, T_q, 1, d_k, d_v), ("T_q", "d_k", "d_v"),
          low=3),
        S("one query that sees nothing",
          lambda n, T_k, d_k, d_v: (*qkv(n, 1, T_k, d_k, d_v), np.zeros((1, T_k), bool)), ("T_k", "d_k", "d_v")),
        S("queries that see nothing, huge values", lambda n, T_q, T_k, d_k, d_v: large_hidden_values(
            n, T_q, T_k, d_k, d_v, mask=blinding), SIZES, low=3),
    ),
    "masked_attention.batch": (
        S("one leading axis", lambda n, b, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(b,)), ("b", *SIZES),
          low=2, cases=2),
        S("one leading axis, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
        S("two leading axes, no mask",
          lambda n, b, h, T, d_k, d_v: qkv(n, T, T, d_k, d_v, (b, h)), ("b", "h", "T", "d_k", "d_v")),
        S("two leading axes", lambda n, b, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(b, 2)),
          ("b", *SIZES)),
        S("three leading axes", lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (2, 3, 2)), SIZES),
        S("padding", padded, ("B", *SIZES), low=2, cases=2),
        S("padding, as many texts as queries",
          lambda n, T_q, T_k, d_k, d_v: padded(n, T_q, T_q, T_k, d_k, d_v), SIZES, low=3),
        S("padding, as many texts as tokens", lambda n, T: padded(n, T, T, T, T, T), ("T",), low=3, high=4,
          cases=2),
        S("padding of texts with heads",
          lambda n, T_q, T_k, d_k, d_v: (*qkv(n, T_q, T_k, d_k, d_v, (3, 2)), padding(n, 3, T_k)[:, None]), SIZES,
          low=3),
        S("one mask for the whole batch",
          lambda n, b, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(b,), mask_lead=()), ("b", *SIZES)),
        S("one mask, as many texts as queries",
          lambda n, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(T_q,), mask_lead=()), SIZES, low=3),
        S("a mask for each head, shared by the texts",
          lambda n, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(2, 3), mask_lead=(3,)), SIZES),
        S("a mask for each text, shared by the heads",
          lambda n, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(2, 3), mask_lead=(2, 1)), SIZES),
        S("leading axes of length 1", lambda n, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, lead=(1, 2, 1)),
          SIZES),
        S("a causal batch", lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,)), ("b", *TOKENS)),
    ),
    "masked_attention.numbers": (
        S("scores near 10000 and -10000", levelled, SIZES, low=3, cases=2),
        S("every score near -10000", low, SIZES, low=3, cases=2),
        S("scores near 10000 and -10000, nobody blind",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, mask=some_mask), SIZES, low=3),
        S("hidden scores hundreds above the visible ones", high_hidden, SIZES, cases=2),
        S("float32", lambda n, T_q, T_k, d_k, d_v: blind(n, T_q, T_k, d_k, d_v, dtype=F32), SIZES, low=3, cases=2),
        S("a float32 batch, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,), F32), ("b", *SIZES)),
        S("float32 scores near 8000",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, 8192.0, dtype=F32), SIZES, low=3),
    ),
    "masked_attention.inputs": (
        S("read-only arrays", blind, SIZES, low=3, layout="readonly"),
        S("arrays filled again between calls", blind, SIZES, low=3, layout="refill"),
        S("views with gaps", blind, SIZES, low=3, layout="strided"),
        S("columns closest in memory", masked, SIZES, layout="fortran"),
        S("a batch used twice", padded, ("B", *SIZES), low=2),
        S("a read-only batch, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES), layout="readonly"),
    ),
}  # fmt: skip
