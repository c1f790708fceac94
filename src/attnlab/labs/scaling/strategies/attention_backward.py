"""Inputs for the backward pass of attention."""

import math

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


def qkvg(n, T_q, T_k, d_k, d_v, lead=(), dtype=np.float64, spread=1.0):
    """Ordinary queries, keys, values and a gradient of the output."""
    return (
        n.array(*lead, T_q, d_k, spread=spread, dtype=dtype),
        n.array(*lead, T_k, d_k, spread=spread, dtype=dtype),
        n.array(*lead, T_k, d_v, dtype=dtype),
        n.array(*lead, T_q, d_v, dtype=dtype),
    )


def some_mask(n, *shape):
    """A mask in which every row sees at least one key and, where there is room, hides at least one."""
    order = n.rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)  # (..., T_q, T_k)
    return order < n.rng.integers(1, max(2, shape[-1]), (*shape[:-1], 1))  # (..., T_q, T_k)


def masked(n, T_q, T_k, d_k, d_v, lead=(), mask_lead=None, dtype=np.float64):
    """Arguments with a mask whose leading axes may be fewer or of length 1."""
    mask_lead = lead if mask_lead is None else mask_lead
    return (*qkvg(n, T_q, T_k, d_k, d_v, lead, dtype), some_mask(n, *mask_lead, T_q, T_k))


def causal(n, T, d_k, d_v, lead=(), dtype=np.float64):
    """As many queries as keys, under the causal mask."""
    return (*qkvg(n, T, T, d_k, d_v, lead, dtype), np.tri(T, dtype=bool))


def hidden_keys(n, T_q, T_k, d_k, d_v, axes=2):
    """The same keys are hidden from every query: nothing they hold matters."""
    visible = some_mask(n, T_k)  # (T_k,)
    return (*qkvg(n, T_q, T_k, d_k, d_v), np.tile(visible, (T_q, 1)) if axes == 2 else visible)


def one_key_each(n, T_q, T_k, d_k, d_v):
    """Each query sees one key, so no score matters."""
    return (*qkvg(n, T_q, T_k, d_k, d_v), np.eye(T_k, dtype=bool)[n.rng.integers(0, T_k, T_q)])


def off_diagonal(n, T, d_k, d_v):
    """As many queries as keys, and no token sees itself; a single token would see nothing at all."""
    if T < 2:
        raise ValueError("a query has to see a key")
    hole = np.zeros((T, T), bool)
    hole[~np.eye(T, dtype=bool)] = some_mask(n, T, T - 1).ravel()
    return (*qkvg(n, T, T, d_k, d_v), hole)


def all_visible(n, T_q, T_k, d_k, d_v, shape, lead=()):
    """A mask of an unusual shape that hides nothing."""
    return (*qkvg(n, T_q, T_k, d_k, d_v, lead), np.ones(shape(T_q, T_k), bool))


def gradient_of_the_sum(n, T_q, T_k, d_k, d_v):
    """The loss is the sum of all outputs."""
    Q, K, V, grad_out = qkvg(n, T_q, T_k, d_k, d_v)
    return Q, K, V, np.ones_like(grad_out)


def one_output_matters(n, T_q, T_k, d_k, d_v):
    """The loss is a single number of the output."""
    Q, K, V, grad_out = qkvg(n, T_q, T_k, d_k, d_v)
    grad_out[:] = 0.0
    grad_out[n.rng.integers(T_q), n.rng.integers(d_v)] = 1.0
    return Q, K, V, grad_out


def root(d_k):
    """The largest power of two up to sqrt(d_k): multiplying by it is exact in float32."""
    return 2.0 ** math.floor(math.log2(d_k) / 2)


def levelled(n, T_q, T_k, d_k, d_v, size=1e4, lead=(), mask=True, dtype=np.float64):
    """Scores near +size in some rows, near -size in others: levels differ between rows, not within one."""
    Q, K, V, grad_out = qkvg(n, T_q, T_k, d_k, d_v, lead)
    Q[..., 0] = n.rng.permuted(np.round(np.linspace(-size, size, T_q))) * root(d_k)  # (..., T_q)
    K[..., 0] = 1.0
    arrays = tuple(a.astype(dtype) for a in (Q, K, V, grad_out))
    return (*arrays, some_mask(n, T_q, T_k)) if mask else arrays


def high_hidden(n, T_q, T_k, d_k, d_v, gap=500.0):
    """The same keys are hidden from every query, and their scores stand hundreds above the visible ones."""
    Q, K, V, grad_out, mask = hidden_keys(n, T_q, T_k, d_k, d_v)
    Q[:, 0] = root(d_k)
    K[:, 0] = np.where(mask[0], 0.0, gap * math.sqrt(d_k) / root(d_k))
    return Q, K, V, grad_out, mask


def low_visible(n, T_q, T_k, d_k, d_v, size=1e4):
    """Every score, hidden or visible, is near -size: a fill such as -1e4 is not below them."""
    Q, K, V, grad_out, mask = masked(n, T_q, T_k, d_k, d_v)
    Q[:, 0] = -size * root(d_k)
    K[:, 0] = math.sqrt(d_k) / root(d_k)
    return Q, K, V, grad_out, mask


SIZES = ("T_q", "T_k", "d_k", "d_v")

ATTENTION_BACKWARD = {
    "attention_backward.reference": (
        S("sizes that differ, no mask", qkvg, SIZES, cases=3),
        S("fewer queries than keys",
          lambda n, T_q, more, d_k, d_v: qkvg(n, T_q, T_q + more, d_k, d_v), ("T_q", "more", "d_k", "d_v")),
        S("more queries than keys",
          lambda n, T_k, more, d_k, d_v: qkvg(n, T_k + more, T_k, d_k, d_v), ("T_k", "more", "d_k", "d_v")),
        S("as many queries as keys", lambda n, T, d_k, d_v: qkvg(n, T, T, d_k, d_v), ("T", "d_k", "d_v"), cases=2),
        S("all sizes equal", lambda n, T: qkvg(n, T, T, T, T), ("T",)),
        S("one query", lambda n, T_k, d_k, d_v: qkvg(n, 1, T_k, d_k, d_v), ("T_k", "d_k", "d_v")),
        S("one key", lambda n, T_q, d_k, d_v: qkvg(n, T_q, 1, d_k, d_v), ("T_q", "d_k", "d_v")),
        S("one number to a value", lambda n, T_q, T_k, d_k: qkvg(n, T_q, T_k, d_k, 1), ("T_q", "T_k", "d_k")),
        S("wide values", lambda n, T_q, T_k, d_k: qkvg(n, T_q, T_k, d_k, 17), ("T_q", "T_k", "d_k")),
        S("the loss is the sum of all outputs", gradient_of_the_sum, SIZES),
        S("the loss is one number of the output", one_output_matters, SIZES),
        S("a longer sequence", lambda n, T: causal(n, T, 3, 2), ("T",), low=24, high=30),
    ),
    "attention_backward.differences": (
        S("sizes that differ, no mask", qkvg, SIZES, high=5, cases=2),
        S("any mask", masked, SIZES, high=5),
        S("a causal batch", lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,)), ("b", "T", "d_k", "d_v"), high=5),
    ),
    "attention_backward.scale": (
        S("four numbers to a key", lambda n, T_q, T_k, d_v: qkvg(n, T_q, T_k, 4, d_v), ("T_q", "T_k", "d_v")),
        S("wide keys", lambda n, T_q, T_k, d_v: qkvg(n, T_q, T_k, 49, d_v, spread=0.75), ("T_q", "T_k", "d_v")),
        S("very wide keys", lambda n, T_q, T_k: qkvg(n, T_q, T_k, 128, 3, spread=0.5), ("T_q", "T_k")),
        S("wide keys under a mask", lambda n, T_q, T_k, d_v: masked(n, T_q, T_k, 20, d_v), ("T_q", "T_k", "d_v")),
        S("one number to a key", lambda n, T_q, T_k, d_v: qkvg(n, T_q, T_k, 1, d_v), ("T_q", "T_k", "d_v")),
    ),
    "attention_backward.mask": (
        S("a causal mask", causal, ("T", "d_k", "d_v"), cases=2),
        S("any mask", masked, SIZES, cases=3),
        S("keys hidden from every query", hidden_keys, SIZES, cases=2),
        S("a mask with one axis",
          lambda n, T_q, T_k, d_k, d_v: hidden_keys(n, T_q, T_k, d_k, d_v, axes=1), SIZES),
        S("each query sees one key", one_key_each, SIZES),
        S("a mask that hides nothing",
          lambda n, T_q, T_k, d_k, d_v: all_visible(n, T_q, T_k, d_k, d_v, lambda q, k: (q, k)), SIZES),
        S("one visible answer for each query",
          lambda n, T_q, T_k, d_k, d_v: all_visible(n, T_q, T_k, d_k, d_v, lambda q, k: (q, 1)), SIZES),
        S("mask=None said aloud", lambda n, T_q, T_k, d_k, d_v: (*qkvg(n, T_q, T_k, d_k, d_v), None), SIZES),
        S("a square mask in which no token sees itself", off_diagonal, ("T", "d_k", "d_v"), low=3),
        S("any square mask", lambda n, T, d_k, d_v: masked(n, T, T, d_k, d_v), ("T", "d_k", "d_v"), low=3),
        S("an anti-causal mask",
          lambda n, T, d_k, d_v: (*qkvg(n, T, T, d_k, d_v), np.tri(T, dtype=bool).T.copy()), ("T", "d_k", "d_v")),
    ),
    "attention_backward.batch": (
        S("one leading axis, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkvg(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES), cases=2),
        S("one leading axis", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
        S("two leading axes", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b, 2)), ("b", *SIZES)),
        S("three leading axes", lambda n, T_q, T_k, d_k, d_v: qkvg(n, T_q, T_k, d_k, d_v, (2, 1, 3)), SIZES),
        S("a batch of one", lambda n, T_q, T_k, d_k, d_v: qkvg(n, T_q, T_k, d_k, d_v, (1,)), SIZES),
        S("one mask for the whole batch",
          lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,), ()), ("b", *SIZES)),
        S("a mask shared by the heads",
          lambda n, b, h, T_q, T_k: masked(n, T_q, T_k, 3, 4, (b, h), (b, 1)), ("b", "h", "T_q", "T_k"), high=5),
        S("a padding mask for every query",
          lambda n, b, T_q, T_k, d_k, d_v: (*qkvg(n, T_q, T_k, d_k, d_v, (b,)), some_mask(n, b, 1, T_k)),
          ("b", *SIZES)),
        S("a mask with fewer leading axes",
          lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (2, 3), (3,)), SIZES),
        S("a cube", lambda n, T: qkvg(n, T, T, T, T, (T,)), ("T",), high=4),
        S("a masked cube with four axes", lambda n, T: causal(n, T, T, T, (T, T)), ("T",), high=3),
    ),
    "attention_backward.large": (
        S("scores near 10000 and -10000", levelled, SIZES, low=3, cases=2),
        S("scores near 10000 and -10000, no mask",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, mask=False), SIZES, low=3),
        S("scores near 1000", lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, 1200.0), SIZES, low=3),
        S("every score near -10000", low_visible, SIZES),
        S("hidden scores hundreds above the visible ones", high_hidden, SIZES),
        S("a batch of large scores",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, lead=(2,)), SIZES, low=3),
        S("scores spread over thousands, no mask",
          lambda n, T_q, T_k, d_k, d_v: qkvg(n, T_q, T_k, d_k, d_v, spread=60.0), SIZES),
    ),
    "attention_backward.float32": (
        S("float32", lambda n, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, dtype=F32), SIZES, cases=2),
        S("a float32 batch, no mask",
          lambda n, b, T_q, T_k, d_k, d_v: qkvg(n, T_q, T_k, d_k, d_v, (b,), F32), ("b", *SIZES)),
        S("a float32 causal batch",
          lambda n, b, T, d_k, d_v: causal(n, T, d_k, d_v, (b,), F32), ("b", "T", "d_k", "d_v")),
        S("float32 scores near 200",
          lambda n, T_q, T_k, d_k, d_v: levelled(n, T_q, T_k, d_k, d_v, 200.0, dtype=F32), SIZES, low=3),
    ),
    "attention_backward.inputs": (
        S("read-only arrays", masked, SIZES, layout="readonly"),
        S("read-only arrays, no mask", qkvg, SIZES, layout="readonly"),
        S("arrays filled again between calls", masked, SIZES, layout="refill"),
        S("views with gaps", masked, SIZES, layout="strided"),
        S("columns closest in memory", masked, SIZES, layout="fortran"),
        S("a batch with columns closest in memory",
          lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES), layout="fortran"),
        S("a batch used twice", lambda n, b, T_q, T_k, d_k, d_v: masked(n, T_q, T_k, d_k, d_v, (b,)), ("b", *SIZES)),
    ),
}  # fmt: skip
