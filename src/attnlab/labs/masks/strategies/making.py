"""Inputs for the functions that make, turn over and combine masks."""

import numpy as np

from ...drawing import Strategy as S


def some_cells(n, *shape):
    """A mask with both answers in it, where it has more than one cell."""
    order = n.rng.permutation(int(np.prod(shape))).reshape(shape)  # (...)
    return order < n.rng.integers(1, max(2, order.size))  # (...)


def mostly_true(n, *shape):
    """A mask whose cells are True three times out of four, with both answers in it."""
    return some_cells(n, *shape) | (n.rng.random(shape) < 0.5)  # (...)


# --- padding ----------------------------------------------------------------------------------------------------------


def texts(n, B, T, least=1, dtype=np.int64):
    """Texts of several lengths in no order, each with a token and with padding."""
    lengths = n.rng.integers(least, T, B)  # (B,)
    if B > 1 and T - least > 1:
        lengths[:2] = n.rng.permutation(np.arange(least, T))[:2]
        lengths = n.rng.permutation(lengths)  # (B,)
    return lengths.astype(dtype), T


def with_ends(n, B, T):
    """An empty text and a full one among others."""
    lengths, T = texts(n, B, T)
    lengths[n.rng.permutation(B)[:2]] = [0, T]
    return lengths, T


def alike(length):
    """Texts that all have no token, or all have T."""
    return lambda n, B, T: (np.full(B, T if length == "T" else 0), T)


def longer_than_all(n, B, T):
    """Every text ends well before T."""
    return n.rng.integers(1, T, B), T + 3


def two_batches(n, B, T):
    """A batch, and another one of other size."""
    return texts(n, B, T), texts(n, B + 1, T + 2)


PADDING = {
    "padding_mask.values": (
        S("texts of several lengths", texts, ("B", "T"), low=3, high=8, cases=3),
        S("one text", lambda n, T: texts(n, 1, T), ("T",), low=3, high=8, cases=2),
        S("more texts than positions", lambda n, T, more: texts(n, T + more, T), ("T", "more"), low=3),
        S("as many texts as positions", lambda n, T: texts(n, T, T), ("T",), low=4),
        S("padding behind the longest text", longer_than_all, ("B", "T"), low=3, cases=2),
        S("long texts", texts, ("B",), low=3, fixed={"T": 70}),
        S("very long texts", lambda n, B: texts(n, B, 300, least=260), ("B",), low=3),
    ),
    "padding_mask.edges": (
        S("an empty text and a full one", with_ends, ("B", "T"), low=3, high=7, cases=3),
        S("full texts only", alike("T"), ("B", "T")),
        S("empty texts only", alike("0"), ("B", "T")),
        S("one position", lambda n, B: (n.rng.permutation(np.arange(B) % 2), 1), ("B",), low=3, high=6),
    ),
    "padding_mask.dtype": (
        S("texts of several lengths", texts, ("B", "T"), low=3, high=8, cases=2),
        S("full texts only", alike("T"), ("B", "T")),
    ),
    "padding_mask.inputs": (
        S("read-only lengths", texts, ("B", "T"), low=3, high=8, layout="readonly"),
        S("lengths filled again between calls", texts, ("B", "T"), low=4, high=8, layout="refill", cases=2),
        S("lengths with gaps in memory", texts, ("B", "T"), low=3, high=8, layout="strided"),
        S("lengths of 32 bits", lambda n, B, T: texts(n, B, T, dtype=np.int32), ("B", "T"), low=3, high=8),
        S("another batch of other size", two_batches, ("B", "T"), low=3, together=True),
    ),
}  # fmt: skip


# --- conventions ------------------------------------------------------------------------------------------------------


def cells(n, *, shape):
    """A mask of a given shape."""
    return (some_cells(n, *shape),)


def blocked_rows(n, T_q, T_k):
    """Some rows wholly blocked, some wholly open."""
    mask = some_cells(n, T_q, T_k)  # (T_q, T_k)
    rows = n.rng.permutation(T_q)
    mask[rows[0]], mask[rows[1]] = True, False
    return (mask,)


FROM_BLOCKED = {
    "from_blocked.values": (
        S("one answer for each key", lambda n, T: cells(n, shape=(T,)), ("T",), low=3, high=8, cases=2),
        S("padding as nn.MultiheadAttention wants it", lambda n, B, T: cells(n, shape=(B, T)), ("B", "T"), cases=3),
        S("as many queries as keys", lambda n, T: cells(n, shape=(T, T)), ("T",), low=3, cases=2),
        S("the future blocked", lambda n, T: (~np.tri(T, dtype=bool),), ("T",), low=3),
        S("a mask for each head", lambda n, B, H, T: cells(n, shape=(B, H, T, T)), ("B", "H", "T"), high=4),
        S("rows blocked from end to end", blocked_rows, ("T_q", "T_k"), low=3),
        S("everything blocked", lambda n, B, T: (np.ones((B, T), bool),), ("B", "T")),
        S("nothing blocked", lambda n, B, T: (np.zeros((B, T), bool),), ("B", "T")),
        S("padding with an axis for queries", lambda n, B, T: cells(n, shape=(B, 1, T)), ("B", "T")),
    ),
    "from_blocked.dtype": (
        S("padding", lambda n, B, T: cells(n, shape=(B, T)), ("B", "T"), low=3, cases=2),
        S("nothing blocked", lambda n, B, T: (np.zeros((B, T), bool),), ("B", "T")),
    ),
    "from_blocked.new": (
        S("a mask filled again between calls", lambda n, B, T: cells(n, shape=(B, T)), ("B", "T"), low=3,
          layout="refill", cases=3),
        S("a read-only mask", lambda n, B, T: cells(n, shape=(B, T)), ("B", "T"), low=3, layout="readonly"),
        S("a mask with gaps in memory", lambda n, B, T: cells(n, shape=(B, T)), ("B", "T"), low=3, layout="strided"),
        S("a batch of masks used twice", lambda n, B, T: cells(n, shape=(B, T, T)), ("B", "T"), low=3),
    ),
}  # fmt: skip


# --- windows ----------------------------------------------------------------------------------------------------------


def two_windows(n, T, window, sinks=None):
    """A window, and another one of other size in a longer text."""
    calls = ((T, window), (T + 2, window + 1))
    return calls if sinks is None else tuple((*call, sinks + k) for k, call in enumerate(calls))


def sunk(n, T, window, sinks):
    """A text long enough for tokens that neither the window nor the sinks reach."""
    return window + sinks + T, window, sinks


WINDOW = {
    "sliding_window_mask.values": (
        S("a window shorter than the text", lambda n, window, more: (window + more, window), ("window", "more"), low=2,
          high=7, cases=4),
        S("no sinks, said aloud", lambda n, window, more: (window + more, window, 0), ("window", "more"), cases=2),
        S("a long text", lambda n, window: (70, window), ("window",), low=9, high=20),
        S("another window afterwards", two_windows, ("window",), fixed={"T": 9}, together=True),
    ),
    "sliding_window_mask.sinks": (
        S("a window and sinks", sunk, ("T", "window", "sinks"), low=2, cases=4),
        S("one sink", lambda n, T, window: sunk(n, T, window, 1), ("T", "window"), low=2, cases=2),
        S("as many sinks as the window is long", lambda n, T, w: sunk(n, T, w, w), ("T", "w"), low=2),
        S("sinks and a window of one", lambda n, T, sinks: sunk(n, T, 1, sinks), ("T", "sinks"), low=2),
        S("a long text", lambda n, window, sinks: (60, window, sinks), ("window", "sinks"), low=3, high=9),
        S("other sinks afterwards", lambda n, T, window, sinks: two_windows(n, window + sinks + T, window, sinks),
          ("T", "window", "sinks"), low=2, together=True),
    ),
    "sliding_window_mask.edges": (
        S("a window of one", lambda n, T: (T, 1), ("T",), low=3, high=7),
        S("a window as long as the text", lambda n, T: (T, T), ("T",), low=3, high=7),
        S("a window one shorter than the text", lambda n, T: (T, T - 1), ("T",), low=3, high=7),
        S("a window longer than the text", lambda n, T, more: (T, T + more), ("T", "more"), low=3),
        S("as many sinks as tokens", lambda n, T: (T, 2, T), ("T",), low=4, high=7),
        S("more sinks than tokens", lambda n, T, more: (T, 2, T + more), ("T", "more"), low=4),
        S("sinks and a window that cover the text", lambda n, T: (T, T - 2, 3), ("T",), low=5, high=8),
        S("a window and sinks, both longer than the text", lambda n, T: (T, T + 2, T + 1), ("T",), low=3, high=6),
        S("one token", lambda n, window: (1, window, 1), ("window",), low=1, high=3),
        S("one token without sinks", lambda n: (1, 1)),
        S("two tokens", lambda n: (2, 1, 1)),
    ),
    "sliding_window_mask.dtype": (
        S("a window and sinks", sunk, ("T", "window", "sinks"), low=2),
        S("a window", lambda n, window, more: (window + more, window), ("window", "more"), low=2),
        S("one token", lambda n: (1, 1)),
    ),
}  # fmt: skip


# --- combination ------------------------------------------------------------------------------------------------------


def several(count, *, sparse=False):
    """That many masks of one shape."""
    one = some_cells if sparse else mostly_true
    return lambda n, T_q, T_k: tuple(one(n, T_q, T_k) for _ in range(count))


def padded_causal(n, B, T):
    """What a batch of texts needs in a language model: padding, and no view of the future."""
    return np.arange(T) < n.rng.integers(1, T, (B, 1, 1)), np.tri(T, dtype=bool)  # (B, 1, T), (T, T)


def turned(build):
    """The same masks in the opposite order."""
    return lambda n, **sizes: tuple(reversed(build(n, **sizes)))


def three_kinds(n, B, H, T):
    """A mask for each text, one for each head and one for all."""
    return mostly_true(n, B, 1, 1, T), mostly_true(n, H, T, T), np.tri(T, dtype=bool)


def counts(n, T):
    """One mask, then four: the number of masks may change from call to call."""
    return (mostly_true(n, T, T + 1),), several(4)(n, T, T + 1)


def among_none(*places):
    """Masks at some places, None at the others."""
    return lambda n, T_q, T_k: tuple(mostly_true(n, T_q, T_k) if place else None for place in places)


PAIR = ("T_q", "T_k")
COMBINATION = {
    "combine_masks.values": (
        S("two masks", several(2), PAIR, low=3, cases=3),
        S("three masks", several(3), PAIR, low=3, cases=2),
        S("four masks", several(4), PAIR, low=3),
        S("two masks that hide nearly everything", several(2, sparse=True), PAIR, low=3),
        S("two square masks", lambda n, T: several(2)(n, T, T), ("T",), low=3),
        S("one mask", several(1), PAIR, low=3),
        S("the same mask twice", lambda n, T_q, T_k: several(1)(n, T_q, T_k) * 2, PAIR, low=3),
        S("a mask that hides everything", lambda n, T_q, T_k: (mostly_true(n, T_q, T_k), np.zeros((T_q, T_k), bool)),
          PAIR, low=3, cases=2),
        S("a mask that hides nothing", lambda n, T_q, T_k: (np.ones((T_q, T_k), bool), mostly_true(n, T_q, T_k)),
          PAIR, low=3),
    ),
    "combine_masks.broadcast": (
        S("padding and no future", padded_causal, ("B", "T"), low=3, cases=2),
        S("no future and padding", turned(padded_causal), ("B", "T"), low=3),
        S("as many texts as positions", lambda n, T: padded_causal(n, T, T), ("T",), low=3),
        S("texts, heads and queries", three_kinds, ("B", "H", "T"), high=4),
        S("all three the other way round", turned(three_kinds), ("B", "H", "T"), high=4),
        S("one answer for each query and one for each key",
          lambda n, T_q, T_k: (mostly_true(n, T_q, 1), mostly_true(n, T_k)), PAIR, low=3),
        S("one answer for all", lambda n, T_q, T_k: (mostly_true(n, T_q, T_k), np.ones((1, 1), bool)), PAIR, low=3),
    ),
    "combine_masks.none": (
        S("None before a mask", among_none(0, 1), PAIR, low=3),
        S("None behind a mask", among_none(1, 0), PAIR, low=3),
        S("None between masks", among_none(1, 0, 1), PAIR, low=3, cases=2),
        S("None, then masks", among_none(0, 1, 1, 0), PAIR, low=3),
        S("no mask at all", lambda n: ()),
        S("None alone", lambda n: (None,)),
        S("nothing but None", lambda n: (None, None, None)),
        S("None and a mask that hides everything",
          lambda n, T_q, T_k: (None, np.zeros((T_q, T_k), bool)), PAIR, low=3),
    ),
    "combine_masks.inputs": (
        S("read-only masks", several(3), PAIR, low=3, layout="readonly"),
        S("masks filled again between calls", several(2), PAIR, low=3, layout="refill"),
        S("masks with gaps in memory", several(2), PAIR, low=3, layout="strided"),
        S("masks used twice", padded_causal, ("B", "T"), low=3),
        S("one mask, then four", counts, ("T",), low=3, together=True),
        S("one read-only mask", several(1), PAIR, low=3, layout="readonly"),
    ),
}  # fmt: skip

MAKING = PADDING | FROM_BLOCKED | WINDOW | COMBINATION
