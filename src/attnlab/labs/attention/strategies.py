"""Lab `attention`: which inputs each check tries. One narrow strategy for one idea; sizes differ pairwise in most.

Hidden scores never exceed the visible ones of their row by much: softmax over all keys, then mask, then renormalise is
a right answer as long as the visible weights do not underflow. Logits far beyond 1e4 are never close at the maximum,
where the log-sum-exp form rightly rounds.
"""

import math

import numpy as np

from ..drawing import Strategy as S

F32 = np.float32

# The worked example of the lesson: three tokens, d_k = d_v = 2.
WORKED_Q = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
WORKED_K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
WORKED_V = np.array([[10.0, 0.0], [0.0, 10.0], [5.0, 5.0]])


# --- softmax and sigmoid ----------------------------------------------------------------------------------------------


def logits(n, *, m, lead=(), dtype=np.float64, spread=3.0, base=0.0):
    """Rows of ordinary logits around `base`."""
    return ((n.array(*lead, m, spread=spread) + base).astype(dtype),)


def hidden_logits(n, *, m, lead=(), dtype=np.float64, base=0.0, keep=1):
    """Rows with -inf at random places, at least `keep` finite."""
    x = n.array(*lead, m, spread=3.0) + base  # (..., m)
    order = n.rng.permuted(np.broadcast_to(np.arange(m), x.shape), axis=-1)  # (..., m)
    visible = order < n.rng.integers(keep, m, (*lead, 1))  # (..., m)
    return (np.where(visible, x, -np.inf).astype(dtype),)


def last_hidden(n, *, m, lead=(), dtype=np.float64):
    """Rows as a causal mask leaves them: row i keeps its first i + 1 entries."""
    x = n.array(*lead, m, m, spread=3.0)  # (..., m, m)
    return (np.where(np.tri(m, dtype=bool), x, -np.inf).astype(dtype),)


def far_logits(n, *, m, lead=(), size=1e6, dtype=np.float64):
    """Rows whose largest entry stands `size` or more above the rest, of either sign."""
    ranks = n.rng.permuted(np.broadcast_to(np.arange(m), (*lead, m)), axis=-1)  # (..., m)
    return (((ranks - m // 2) * size).astype(dtype),)


def uneven_rows(n, *, m, rows, lead=(), size=1e4, dtype=np.float64):
    """Rows at very different levels in one array: high, low and near zero."""
    levels = n.rng.permuted(np.linspace(-size, size, rows))[:, None]  # (rows, 1)
    return ((n.array(*lead, rows, m, spread=3.0) + np.round(levels)).astype(dtype),)


def fine_logits(n, *, m, lead=(), base=0.0):
    """Rows around `base` whose digits go beyond what float32 holds."""
    return (base + n.rng.uniform(-2.0, 2.0, (*lead, m)),)


def equal_logits(n, *, m, lead=()):
    """Rows of one repeated number."""
    return (np.broadcast_to(n.array(*lead, 1), (*lead, m)).copy(),)


SOFTMAX = {
    "softmax.values": (
        S("rows of ordinary logits", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), cases=3),
        S("a single row without leading axes", logits, ("m",), cases=3),
        S("equal logits", equal_logits, ("m",), lead=(0, 1)),
        S("one logit to a row", lambda n, r: logits(n, m=1, lead=(r,)), ("r",)),
        S("a long row", lambda n, m: logits(n, m=m, lead=(3,)), ("m",), low=60, high=90),
        S("exact zeros among the logits", lambda n, r, m: (np.round(logits(n, m=m, lead=(r,))[0] / 3),), ("r", "m")),
    ),
    "softmax.axes": (
        S("as many rows as columns", lambda n, m: logits(n, m=m, lead=(m,)), ("m",), cases=3),
        S("two leading axes", lambda n, a, b, m: logits(n, m=m, lead=(a, b)), ("a", "b", "m"), high=5, cases=3),
        S("three leading axes", lambda n, a, b, c, m: logits(n, m=m, lead=(a, b, c)), ("a", "b", "c", "m"), high=5),
        S("a cube", lambda n, m: logits(n, m=m, lead=(m, m)), ("m",), high=4),
        S("leading axes of length 1", lambda n, m, a: logits(n, m=m, lead=(1, a, 1)), ("a", "m")),
        S("a single row kept as 2-D", lambda n, m: logits(n, m=m, lead=(1,)), ("m",)),
    ),
    "softmax.neginf": (
        S("some scores are -inf", lambda n, r, m: hidden_logits(n, m=m, lead=(r,)), ("r", "m"), cases=3),
        S("a single row with -inf", lambda n, m: hidden_logits(n, m=m), ("m",)),
        S("the triangle of a causal mask", last_hidden, ("m",), lead=(0, 1)),
        S("-inf beside very low finite scores",
          lambda n, r, m: hidden_logits(n, m=m, lead=(r,), base=-2e4), ("r", "m")),
        S("-inf beside scores of minus a million",
          lambda n, r, m: hidden_logits(n, m=m, lead=(r,), base=-1e6), ("r", "m")),
        S("-inf beside far lower finite scores",
          lambda n, m: (np.append(far_logits(n, m=m, size=1e12)[0] - 1e14, -np.inf),), ("m",)),
        S("-inf in float32", lambda n, r, m: hidden_logits(n, m=m, lead=(r,), dtype=F32), ("r", "m")),
    ),
    "softmax.large": (
        S("scores around 10000", lambda n, r, m: logits(n, m=m, lead=(r,), base=1e4), ("r", "m")),
        S("scores around -10000", lambda n, r, m: logits(n, m=m, lead=(r,), base=-1e4), ("r", "m")),
        S("scores around 1000", lambda n, r, m: logits(n, m=m, lead=(r,), base=1e3), ("r", "m")),
        S("scores around -1000", lambda n, m: logits(n, m=m, base=-1e3), ("m",)),
        S("scores around 10000 with many digits", lambda n, r, m: fine_logits(n, m=m, lead=(r,), base=1e4), ("r", "m")),
        S("scores in the millions", lambda n, r, m: far_logits(n, m=m, lead=(r,)), ("r", "m")),
        S("scores up to 1e30", lambda n, r, m: far_logits(n, m=m, lead=(r,), size=1e30), ("r", "m")),
        S("scores spread over -10000 to 10000",
          lambda n, r, m: logits(n, m=m, lead=(r,), spread=1e4), ("r", "m")),
        S("scores spread over -60 to 60", lambda n, r, m: logits(n, m=m, lead=(r,), spread=60.0), ("r", "m")),
    ),
    "softmax.rows": (
        S("rows at very different levels", uneven_rows, ("rows", "m"), low=3, cases=3),
        S("rows a few hundred apart",
          lambda n, rows, m: uneven_rows(n, rows=rows, m=m, size=1500.0), ("rows", "m"), low=3),
        S("batches of rows at different levels", uneven_rows, ("rows", "m"), low=3, high=5, lead=(1, 2)),
        S("rows at levels of millions",
          lambda n, rows, m: uneven_rows(n, rows=rows, m=m, size=1e6), ("rows", "m"), low=3),
    ),
    "softmax.float32": (
        S("float32 rows", lambda n, r, m: logits(n, m=m, lead=(r,), dtype=F32), ("r", "m")),
        S("float32 scores around 100", lambda n, r, m: logits(n, m=m, lead=(r,), base=100.0, dtype=F32), ("r", "m")),
        S("float32 scores around -120", lambda n, r, m: logits(n, m=m, lead=(r,), base=-120.0, dtype=F32), ("r", "m")),
        S("float32 scores around 10000", lambda n, r, m: logits(n, m=m, lead=(r,), base=1e4, dtype=F32), ("r", "m")),
        S("float32 rows at different levels",
          lambda n, rows, m: uneven_rows(n, rows=rows, m=m, dtype=F32), ("rows", "m"), low=3),
        S("float32 scores up to 1e30", lambda n, r, m: far_logits(n, m=m, lead=(r,), size=1e30, dtype=F32), ("r", "m")),
        S("a float32 batch", lambda n, a, b, m: logits(n, m=m, lead=(a, b), dtype=F32), ("a", "b", "m"), high=5),
    ),
    "softmax.inputs": (
        S("read-only scores", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="readonly"),
        S("an array filled again between calls", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="refill"),
        S("a view with gaps", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="strided"),
        S("scores with -inf used twice", lambda n, r, m: hidden_logits(n, m=m, lead=(r,)), ("r", "m")),
        S("one read-only row", logits, ("m",), layout="readonly"),
    ),
}  # fmt: skip

SIGMOID = {
    "sigmoid.values": (
        S("ordinary numbers", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), cases=3),
        S("a vector", logits, ("m",)),
        S("a batch", lambda n, a, b, m: logits(n, m=m, lead=(a, b)), ("a", "b", "m"), high=5),
        S("zeros", lambda n, m: (np.zeros(m),), ("m",)),
        S("float32", lambda n, r, m: logits(n, m=m, lead=(r,), dtype=F32), ("r", "m")),
        S("a read-only array", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="readonly"),
        S("an array filled again between calls", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="refill"),
        S("numbers up to 30", lambda n, r, m: logits(n, m=m, lead=(r,), spread=30.0), ("r", "m")),
    ),
    "sigmoid.large": (
        S("up to 10000 either way", lambda n, r, m: logits(n, m=m, lead=(r,), spread=1e4), ("r", "m"), cases=3),
        S("around 1000", lambda n, m: logits(n, m=m, base=1e3), ("m",)),
        S("around -1000", lambda n, m: logits(n, m=m, base=-1e3), ("m",)),
        S("millions", lambda n, r, m: far_logits(n, m=m, lead=(r,)), ("r", "m")),
        S("float32 beyond 88", lambda n, r, m: logits(n, m=m, lead=(r,), spread=400.0, dtype=F32), ("r", "m")),
    ),
}


# --- causal_mask ------------------------------------------------------------------------------------------------------

CAUSAL_MASK = {
    "causal_mask.values": (
        S("a few tokens", lambda n, T: ((T,), (T + 3,), (T,)), ("T",), high=9, cases=4, together=True),
        S("a longer sequence", lambda n, T: ((T,),), ("T",), low=30, high=70, cases=2, together=True),
        S("hundreds of tokens", lambda n, T: ((T,),), ("T",), low=200, high=300, together=True),
    ),
    "causal_mask.edges": (
        S("no token", lambda n: ((0,), (2,)), together=True),
        S("one token", lambda n: ((1,), (2,)), together=True),
        S("three tokens", lambda n: ((3,), (2,)), together=True),
    ),
    "causal_mask.dtype": (
        S("the dtype of a mask", lambda n, T: ((T,), (T,)), ("T",), high=9, cases=2, together=True),
        S("the dtype of a small mask", lambda n: ((1,), (2,)), together=True),
    ),
}


# --- attention --------------------------------------------------------------------------------------------------------


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


def high_hidden(n, T_q, T_k, d_k, d_v, gap=400.0):
    """The same keys are hidden from every query, and their scores stand hundreds above the visible ones."""
    visible = some_mask(n, T_k)  # (T_k,)
    Q, K, V = qkv(n, T_q, T_k, d_k, d_v, spread=1.0)
    Q[:, 0] = root(d_k)
    K[:, 0] = np.where(visible, 0.0, gap)
    return Q, K, V, np.tile(visible, (T_q, 1))


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
        S("a longer sequence", lambda n, T: causal(n, T, 5, 3), ("T",), low=30, high=45),
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
        S("an anti-causal mask",
          lambda n, T, d_k, d_v: (*qkv(n, T, T, d_k, d_v), np.tri(T, dtype=bool).T.copy()), ("T", "d_k", "d_v")),
        S("large values at hidden positions", large_hidden_values, SIZES),
    ),
    "attention.batch": (
        S("one leading axis", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)),
          ("b", *SIZES), cases=3),
        S("one leading axis, no mask", lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
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
        S("scores spread over thousands, no mask",
          lambda n, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, spread=60.0), SIZES),
    ),
    "attention.float32": (
        S("float32", lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, dtype=F32), SIZES, cases=3),
        S("a float32 batch, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkv(n, T_q, T_k, d_k, d_v, (b,), F32), ("b", *SIZES)),
        S("a float32 causal batch", lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,), F32), ("b", "T", "d_k", "d_v")),
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
        S("a batch used twice", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
        S("a read-only causal batch", lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,)), ("b", "T", "d_k", "d_v"),
          layout="readonly"),
    ),
}  # fmt: skip


# --- causal_self_attention and the gate -------------------------------------------------------------------------------


def self_args(n, T, d_model, d_k, d_v, lead=(), dtype=np.float64, gate=None):
    """Hidden states and projections; `gate` is the width of W_gate, or None for no gate."""
    args = (
        n.array(*lead, T, d_model, spread=1.5, dtype=dtype),
        n.array(d_model, d_k, spread=1.0, dtype=dtype),
        n.array(d_model, d_k, spread=1.0, dtype=dtype),
        n.array(d_model, d_v, spread=1.0, dtype=dtype),
    )
    return args if gate is None else (*args, n.array(d_model, gate, spread=1.0, dtype=dtype))


def later_changed(n, T, d_model, d_k, d_v, lead=()):
    """Two sequences that agree up to some token and differ in every later one."""
    X, *W = self_args(n, T, d_model, d_k, d_v, lead)
    i = int(n.rng.integers(0, T - 1))
    Y = X.copy()
    Y[..., i + 1 :, :] += n.rng.choice((-1.0, 1.0), Y[..., i + 1 :, :].shape) + 0.25
    return (X, *W), (Y, *W)


def levelled_tokens(n, T, d_model, d_k, d_v, size=1e4, dtype=np.float64):
    """Tokens whose scores lie near +size or -size, the same level for all keys of one query."""
    X, W_q, W_k, W_v = self_args(n, T, d_model, d_k, d_v)
    X[:, 0] = n.rng.permuted(np.round(np.linspace(-size, size, T)))  # (T,): the level of each query
    X[:, 1] = 1.0
    W_q[0], W_k[0], W_v[0] = 0.0, 0.0, 0.0
    W_q[:, 0], W_k[:, 0] = 0.0, 0.0
    W_q[0, 0] = root(d_k)
    W_k[1, 0] = 1.0
    return tuple(a.astype(dtype) for a in (X, W_q, W_k, W_v))


WIDTHS = ("T", "d_model", "d_k", "d_v")

SELF_ATTENTION = {
    "causal_self_attention.causality": (
        S("later tokens changed", later_changed, WIDTHS, low=3, cases=5, together=True),
        S("later tokens of a batch changed", later_changed, WIDTHS, low=3, lead=(1, 1), cases=2, together=True),
        S("only the last token changed",
          lambda n, d_model, d_k, d_v: later_changed(n, 2, d_model, d_k, d_v), ("d_model", "d_k", "d_v"), together=True),
    ),
    "causal_self_attention.reference": (
        S("sizes that differ", self_args, WIDTHS, cases=5),
        S("square projections", lambda n, T, d: self_args(n, T, d, d, d), ("T", "d"), cases=3),
        S("all sizes equal", lambda n, T: self_args(n, T, T, T, T), ("T",)),
        S("one token", lambda n, d_model, d_k, d_v: self_args(n, 1, d_model, d_k, d_v), ("d_model", "d_k", "d_v")),
        S("two tokens", lambda n, d_model, d_k, d_v: self_args(n, 2, d_model, d_k, d_v), ("d_model", "d_k", "d_v")),
        S("one number to a key", lambda n, T, d_model, d_v: self_args(n, T, d_model, 1, d_v), ("T", "d_model", "d_v")),
        S("one number to a hidden state", lambda n, T, d_k, d_v: self_args(n, T, 1, d_k, d_v), ("T", "d_k", "d_v")),
        S("a longer sequence", lambda n, T: self_args(n, T, 4, 3, 5), ("T",), low=30, high=40),
    ),
    "causal_self_attention.batch": (
        S("one leading axis", lambda n, b, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (b,)),
          ("b", *WIDTHS), cases=3),
        S("two leading axes", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (2, 3)), WIDTHS),
        S("three leading axes", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (2, 1, 3)), WIDTHS,
          cases=1),
        S("a batch of one", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (1,)), WIDTHS),
        S("a cube", lambda n, T: self_args(n, T, T, T, T, (T,)), ("T",), high=4),
        S("a batch of one token each",
          lambda n, b, d_model, d_k, d_v: self_args(n, 1, d_model, d_k, d_v, (b,)), ("b", "d_model", "d_k", "d_v")),
    ),
    "causal_self_attention.numbers": (
        S("float32", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, dtype=F32), WIDTHS),
        S("a float32 batch", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (2,), F32), WIDTHS),
        S("scores near 10000 and -10000", levelled_tokens, WIDTHS, low=3, cases=3),
        S("float32 scores near 200",
          lambda n, T, d_model, d_k, d_v: levelled_tokens(n, T, d_model, d_k, d_v, 200.0, F32), WIDTHS, low=3),
    ),
    "causal_self_attention.inputs": (
        S("read-only arrays", self_args, WIDTHS, layout="readonly"),
        S("arrays filled again between calls", self_args, WIDTHS, layout="refill"),
        S("views with gaps", self_args, WIDTHS, layout="strided"),
        S("a read-only batch", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (2,)), WIDTHS,
          layout="readonly"),
    ),
}  # fmt: skip


def gated(n, T, d_model, d_k, d_v, lead=(), dtype=np.float64):
    """One gate for each channel."""
    return self_args(n, T, d_model, d_k, d_v, lead, dtype, gate=d_v)


def gated_by_token(n, T, d_model, d_k, d_v, lead=(), dtype=np.float64):
    """One gate for each token."""
    return self_args(n, T, d_model, d_k, d_v, lead, dtype, gate=1)


def shut_gate(n, T, d_model, d_k, d_v, gate=None):
    """W_gate = 0: every gate is a half."""
    args = self_args(n, T, d_model, d_k, d_v, gate=gate or d_v)
    args[-1][...] = 0.0
    return args


def wide_open(n, T, d_model, d_k, d_v):
    """Gate logits far beyond what exp can hold."""
    *args, W_gate = gated(n, T, d_model, d_k, d_v)
    return (*args, W_gate * 4000.0)


def explicit_none(n, T, d_model, d_k, d_v):
    """With a gate in the first call and W_gate=None in the second."""
    args = gated(n, T, d_model, d_k, d_v)
    return args, (*self_args(n, T, d_model, d_k, d_v), None)


GATE = {
    "gate.channels": (
        S("one gate for each channel", gated, WIDTHS, cases=4),
        S("a square W_gate", lambda n, T, d: gated(n, T, d, d, d), ("T", "d")),
        S("all sizes equal", lambda n, T: gated(n, T, T, T, T), ("T",)),
        S("a gate, then none", explicit_none, WIDTHS, together=True),
        S("gate logits in the thousands", wide_open, WIDTHS),
    ),
    "gate.token": (
        S("one gate for each token", gated_by_token, WIDTHS, cases=3),
        S("one channel", lambda n, T, d_model, d_k: gated(n, T, d_model, d_k, 1), ("T", "d_model", "d_k")),
        S("one token", lambda n, d_model, d_k, d_v: gated_by_token(n, 1, d_model, d_k, d_v), ("d_model", "d_k", "d_v")),
        S("as many tokens as channels", lambda n, T, d_model: gated_by_token(n, T, d_model, 3, T), ("T", "d_model")),
    ),
    "gate.batch": (
        S("a batch, one gate for each channel", gated, WIDTHS, lead=(1, 2)),
        S("a batch, one gate for each token", gated_by_token, WIDTHS, lead=(1, 2)),
        S("a cube", lambda n, T: gated(n, T, T, T, T, (T,)), ("T",), high=4),
        S("a float32 batch", lambda n, T, d_model, d_k, d_v: gated(n, T, d_model, d_k, d_v, (2,), F32), WIDTHS),
        S("read-only arrays", gated, WIDTHS, layout="readonly"),
        S("arrays filled again between calls", gated, WIDTHS, layout="refill"),
    ),
    "gate.zero": (
        S("W_gate = 0", shut_gate, WIDTHS, cases=3),
        S("W_gate = 0, one gate for each token",
          lambda n, T, d_model, d_k, d_v: shut_gate(n, T, d_model, d_k, d_v, 1), WIDTHS),
        S("some gates at a half",
          lambda n, T, d_model, d_k, d_v: (*self_args(n, T, d_model, d_k, d_v),
                                           n.array(d_model, d_v, spread=1.0) * (np.arange(d_v) % 2)), WIDTHS),
    ),
}  # fmt: skip

STRATEGIES = CAUSAL_MASK | SOFTMAX | ATTENTION | SELF_ATTENTION | SIGMOID | GATE
