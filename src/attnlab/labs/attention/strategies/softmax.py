"""Inputs for softmax and sigmoid."""

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


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


def far_entries(n, *, m, lead=(), size=1e3):
    """A few entries close together at the top of each row, the others far below."""
    x = n.array(*lead, m, spread=2.0)  # (..., m)
    order = n.rng.permuted(np.broadcast_to(np.arange(m), x.shape), axis=-1)  # (..., m)
    return (np.where(order < max(2, m // 2), size + x, x - size),)


def equal_logits(n, *, m, lead=()):
    """Rows of one repeated number."""
    return (np.broadcast_to(n.array(*lead, 1), (*lead, m)).copy(),)


SOFTMAX = {
    "softmax.values": (
        S("rows of ordinary logits", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), cases=3),
        S("a single row without leading axes", logits, ("m",), cases=3),
        S("equal logits", equal_logits, ("m",), lead=(0, 1)),
        S("one logit to a row", lambda n, r: logits(n, m=1, lead=(r,)), ("r",)),
        S("a long row", lambda n, m: logits(n, m=m, lead=(3,)), ("m",), low=260, high=300),
        S("exact zeros among the logits", lambda n, r, m: (np.round(logits(n, m=m, lead=(r,))[0] / 3),), ("r", "m")),
    ),
    "softmax.axes": (
        S("as many rows as columns", lambda n, m: logits(n, m=m, lead=(m,)), ("m",), cases=3),
        S("two leading axes", lambda n, a, b, m: logits(n, m=m, lead=(a, b)), ("a", "b", "m"), high=5, cases=3),
        S("three leading axes", lambda n, a, b, c, m: logits(n, m=m, lead=(a, b, c)), ("a", "b", "c", "m"), high=5),
        S("a cube", lambda n, m: logits(n, m=m, lead=(m, m)), ("m",), high=4),
        S("four leading axes", lambda n, m: logits(n, m=m, lead=(2, 1, 3, 2)), ("m",)),
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
        S("scores close together at 1000, others at -1000",
          lambda n, r, m: far_entries(n, m=m, lead=(r,)), ("r", "m"), low=3),
        S("scores close together at 10000, others at -10000",
          lambda n, m: far_entries(n, m=m, size=1e4), ("m",), low=3),
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
        S("an array filled again between calls",
          lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="refill"),
        S("a view with gaps", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="strided"),
        S("columns closest in memory",
          lambda n, a, r, m: logits(n, m=m, lead=(a, r)), ("a", "r", "m"), layout="fortran"),
        S("a transposed matrix", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="fortran"),
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
        S("four axes", lambda n, a, m: logits(n, m=m, lead=(2, a, 1)), ("a", "m")),
        S("float32", lambda n, r, m: logits(n, m=m, lead=(r,), dtype=F32), ("r", "m")),
        S("a read-only array", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="readonly"),
        S(
            "an array filled again between calls",
            lambda n, r, m: logits(n, m=m, lead=(r,)),
            ("r", "m"),
            layout="refill",
        ),
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
