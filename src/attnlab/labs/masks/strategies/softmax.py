"""Inputs for safe_softmax."""

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


def logits(n, *, m, lead=(), dtype=np.float64, spread=3.0, base=0.0):
    """Rows of ordinary logits around `base`, none of them hidden."""
    return ((n.array(*lead, m, spread=spread) + base).astype(dtype),)


def holes(n, *, m, lead=()):
    """Which entries stay visible: in each row at least one, hidden at random places."""
    order = n.rng.permuted(np.broadcast_to(np.arange(m), (*lead, m)), axis=-1)  # (..., m)
    return order < n.rng.integers(1, max(2, m), (*lead, 1))  # (..., m)


def hidden(n, *, m, lead=(), dtype=np.float64, base=0.0, spread=3.0):
    """Rows with -inf at random places, none of them empty."""
    (x,) = logits(n, m=m, lead=lead, base=base, spread=spread)
    return (np.where(holes(n, m=m, lead=lead), x, -np.inf).astype(dtype),)


def empty(n, *, rows, m, lead=(), dtype=np.float64, base=0.0, plain=False):
    """Some rows of nothing but -inf among others, which have holes or, when `plain`, none."""
    x = (logits if plain else hidden)(n, m=m, lead=(*lead, rows), base=base)[0]  # (..., rows, m)
    which = n.rng.permuted(np.broadcast_to(np.arange(rows), (*lead, rows)), axis=-1)  # (..., rows)
    blind = which < n.rng.integers(1, rows, (*lead, 1))  # (..., rows)
    return (np.where(blind[..., None], -np.inf, x).astype(dtype),)


def levels(n, *, rows, m, lead=(), size=1e4, dtype=np.float64):
    """Rows at very different levels, with holes, and one that is empty."""
    (x,) = hidden(n, m=m, lead=(*lead, rows))
    x += np.round(n.rng.permuted(np.linspace(-size, size, rows)))[:, None]  # (..., rows, m)
    x[..., int(n.rng.integers(rows)), :] = -np.inf
    return (x.astype(dtype),)


def far(n, *, m, lead=(), size=1e6, dtype=np.float64):
    """Rows whose largest entry stands `size` or more above the rest, and whose first or last is hidden."""
    ranks = n.rng.permuted(np.broadcast_to(np.arange(m), (*lead, m)), axis=-1)  # (..., m)
    x = (ranks - m // 2) * size  # (..., m)
    x[..., -int(n.rng.integers(2))] = -np.inf
    return (x.astype(dtype),)


def as_left_padding(n, rows):
    """What a causal mask leaves of a text that is padded on the left: the first rows see nothing."""
    pad = int(n.rng.integers(1, rows))
    mask = np.tri(rows, dtype=bool) & (np.arange(rows) >= pad)  # (rows, rows)
    return (np.where(mask, n.array(rows, rows, spread=3.0), -np.inf),)


def all_but_one_row(n, rows, m):
    """One row sees something, all others nothing."""
    x = np.full((rows, m), -np.inf)
    x[int(n.rng.integers(rows))] = n.array(m, spread=3.0)
    return (x,)


RM = ("rows", "m")
SAFE_SOFTMAX = {
    "safe_softmax.values": (
        S("rows of ordinary logits", lambda n, rows, m: logits(n, m=m, lead=(rows,)), RM, cases=2),
        S("a single row without leading axes", logits, ("m",), cases=2),
        S("some scores are -inf", lambda n, rows, m: hidden(n, m=m, lead=(rows,)), RM, cases=3),
        S("a single row with -inf", hidden, ("m",), low=3, cases=2),
        S("the triangle of a causal mask",
          lambda n, m: (np.where(np.tri(m, dtype=bool), n.array(m, m, spread=3.0), -np.inf),), ("m",), low=3),
        S("one logit to a row", lambda n, rows: logits(n, m=1, lead=(rows,)), ("rows",)),
        S("a long row", lambda n, m: hidden(n, m=m, lead=(3,)), ("m",), low=260, high=300),
    ),
    "safe_softmax.axes": (
        S("as many rows as columns", lambda n, m: hidden(n, m=m, lead=(m,)), ("m",), low=3, cases=2),
        S("as many rows as columns, none hidden", lambda n, m: logits(n, m=m, lead=(m,)), ("m",), low=3),
        S("two leading axes", lambda n, a, b, m: hidden(n, m=m, lead=(a, b)), ("a", "b", "m"), high=5, cases=2),
        S("three leading axes", lambda n, a, b, c, m: hidden(n, m=m, lead=(a, b, c)), ("a", "b", "c", "m"), high=5),
        S("a cube", lambda n, m: hidden(n, m=m, lead=(m, m)), ("m",), low=3, high=4),
        S("leading axes of length 1", lambda n, m, a: hidden(n, m=m, lead=(1, a, 1)), ("a", "m")),
    ),
    "safe_softmax.empty": (
        S("empty rows among others", empty, RM, low=3, cases=4),
        S("empty rows among rows without holes",
          lambda n, rows, m: empty(n, rows=rows, m=m, plain=True), RM, low=3, cases=2),
        S("a single empty row", lambda n, m: (np.full(m, -np.inf),), ("m",)),
        S("nothing but empty rows", lambda n, rows, m: (np.full((rows, m), -np.inf),), RM),
        S("all rows empty but one", all_but_one_row, RM, low=3),
        S("rows of a text padded on the left", as_left_padding, ("rows",), low=4, high=6),
        S("empty rows in a batch", lambda n, a, rows, m: empty(n, rows=rows, m=m, lead=(a,)), ("a", *RM), low=2,
          high=5, cases=2),
        S("empty rows in two leading axes", lambda n, rows, m: empty(n, rows=rows, m=m, lead=(2, 3)), RM, low=2),
        S("as many rows as columns, some empty", lambda n, m: empty(n, rows=m, m=m), ("m",), low=3),
        S("one score to a row, some hidden", lambda n, rows: empty(n, rows=rows, m=1, plain=True), ("rows",), low=3),
    ),
    "safe_softmax.large": (
        S("scores around 10000", lambda n, rows, m: empty(n, rows=rows, m=m, base=1e4), RM, low=3),
        S("scores around -10000", lambda n, rows, m: empty(n, rows=rows, m=m, base=-1e4), RM, low=3),
        S("scores around -1000", lambda n, m: hidden(n, m=m, base=-1e3), ("m",), low=3),
        S("scores around 1000", lambda n, m: hidden(n, m=m, base=1e3), ("m",), low=3),
        S("scores around minus a million", lambda n, rows, m: hidden(n, m=m, lead=(rows,), base=-1e6), RM, low=3),
        S("scores around -1e14", lambda n, m: (far(n, m=m, size=1e12)[0] - 1e14,), ("m",), low=3),
        S("scores up to 1e30", lambda n, rows, m: far(n, m=m, lead=(rows,), size=1e30), RM, low=3),
        S("scores around -1e32", lambda n, rows, m: (far(n, m=m, lead=(rows,), size=1e30)[0] - 1e32,), RM, low=3),
        S("rows at very different levels", levels, RM, low=3, cases=3),
        S("rows at levels of millions", lambda n, rows, m: levels(n, rows=rows, m=m, size=1e6), RM, low=3),
        S("batches of rows at different levels",
          lambda n, rows, m: levels(n, rows=rows, m=m, lead=(2,)), RM, low=3),
        S("scores spread over thousands", lambda n, rows, m: hidden(n, m=m, lead=(rows,), spread=4e3), RM, low=3),
    ),
    "safe_softmax.float32": (
        S("float32 rows, some empty", lambda n, rows, m: empty(n, rows=rows, m=m, dtype=F32), RM, low=3, cases=2),
        S("float32 scores around 100", lambda n, rows, m: empty(n, rows=rows, m=m, base=100.0, dtype=F32), RM, low=3),
        S("float32 scores around -120", lambda n, rows, m: empty(n, rows=rows, m=m, base=-120.0, dtype=F32), RM,
          low=3),
        S("float32 rows at different levels", lambda n, rows, m: levels(n, rows=rows, m=m, dtype=F32), RM, low=3),
        S("float32 scores up to 1e30", lambda n, rows, m: far(n, m=m, lead=(rows,), size=1e30, dtype=F32), RM, low=3),
        S("a float32 batch", lambda n, a, rows, m: empty(n, rows=rows, m=m, lead=(a,), dtype=F32), ("a", *RM), high=5),
    ),
    "safe_softmax.inputs": (
        S("read-only scores", empty, RM, low=3, layout="readonly"),
        S("an array filled again between calls", empty, RM, low=3, layout="refill"),
        S("a view with gaps", empty, RM, low=3, layout="strided"),
        S("columns closest in memory",
          lambda n, a, rows, m: empty(n, rows=rows, m=m, lead=(a,)), ("a", *RM), high=5, layout="fortran"),
        S("scores used twice", empty, RM, low=3),
        S("one read-only row", hidden, ("m",), low=3, layout="readonly"),
    ),
}  # fmt: skip
