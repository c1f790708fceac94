"""Inputs for the Jacobian of softmax and for its backward pass."""

import numpy as np

from ...drawing import Strategy as S
from .weights import one_hot, saturated, softmax_of_scores, uniform, weights, with_zeros

F32 = np.float32


def rows(kind=weights, **more):
    """Return a builder of ``(p,)``; leading axes are named r, a, b, c by their sizes or given as `lead`."""

    def build(n, m, lead=(), **sizes):
        return (kind(n, m, lead or tuple(sizes.values()), **more),)

    return build


def pairs(kind=weights, spread=3.0, **more):
    """Return a builder of ``(p, grad_p)``."""

    def build(n, m, lead=(), **sizes):
        p = kind(n, m, lead or tuple(sizes.values()), **more)
        return p, n.array(*p.shape, spread=spread, dtype=p.dtype)

    return build


def constant(kind=weights, size=3.0, **more):
    """Return a builder of ``(p, grad_p)`` with one and the same gradient all along each row."""

    def build(n, m, lead=(), **sizes):
        p = kind(n, m, lead or tuple(sizes.values()), **more)
        level = n.array(*p.shape[:-1], 1, spread=size, dtype=p.dtype)  # (..., 1)
        return p, np.broadcast_to(np.where(level == 0, 1, level), p.shape).astype(p.dtype)  # (..., m)

    return build


def many_digits(n, r, m):
    """Gradients near 10000 whose differences lie beyond what float32 holds."""
    return weights(n, m, (r,)), 1e4 + n.rng.uniform(-1.0, 1.0, (r, m))


def square(build):
    """As many rows as columns."""
    return lambda n, m: build(n, m, (m,))


def batches(build):
    """Any number of leading axes, for both functions."""
    return (
        S("as many rows as columns", square(build), ("m",), cases=2),
        S("two leading axes", build, ("a", "b", "m"), high=5, cases=2),
        S("three leading axes", build, ("a", "b", "c", "m"), high=5),
        S("a cube", lambda n, m: build(n, m, (m, m)), ("m",), high=4),
        S("four leading axes", lambda n, m: build(n, m, (2, 1, 3, 2)), ("m",)),
        S("leading axes of length 1", lambda n, m, a: build(n, m, (1, a, 1)), ("a", "m")),
        S("a single row kept as 2-D", lambda n, m: build(n, m, (1,)), ("m",)),
    )


def layouts(build, hidden):
    """Arrays handed over in every way."""
    return (
        S("read-only arrays", build, ("r", "m"), layout="readonly"),
        S("arrays filled again between calls", build, ("r", "m"), layout="refill"),
        S("views with gaps", build, ("r", "m"), layout="strided"),
        S("columns closest in memory", build, ("a", "r", "m"), layout="fortran"),
        S("weights with zeros used twice", hidden, ("r", "m")),
        S("one read-only row", build, ("m",), layout="readonly"),
    )


JACOBIAN = {
    "softmax_jacobian.values": (
        S("a single row", rows(), ("m",), cases=3),
        S("some rows", rows(), ("r", "m"), cases=3),
        S("two weights", lambda n: rows()(n, 2)),
        S("a single weight", lambda n, r: rows()(n, 1, (r,)), ("r",)),
        S("equal weights", rows(uniform), ("r", "m")),
        S("a long row", rows(), ("m",), low=40, high=50),
        S("weights with all their digits", rows(softmax_of_scores), ("r", "m")),
    ),
    "softmax_jacobian.slopes": (
        S("a single row", rows(), ("m",), cases=2),
        S("some rows", rows(), ("r", "m")),
        S("a batch of rows", rows(softmax_of_scores), ("a", "b", "m"), high=4),
    ),
    "softmax_jacobian.batch": batches(rows()),
    "softmax_jacobian.saturated": (
        S("all the weight on one key", rows(one_hot), ("r", "m")),
        S("nearly all the weight on one key", rows(saturated), ("r", "m"), cases=2),
        S("hidden keys", rows(with_zeros), ("r", "m"), low=3),
        S("weights from scores far apart", rows(softmax_of_scores, spread=150.0), ("r", "m")),
        S("0.99 on one key of two", lambda n: (np.array([0.99, 0.01]),)),
    ),
    "softmax_jacobian.float32": (
        S("float32", rows(dtype=F32), ("r", "m"), cases=2),
        S("a float32 batch with all its digits", rows(softmax_of_scores, dtype=F32), ("a", "b", "m"), high=5),
        S("a saturated float32 row", rows(saturated, dtype=F32), ("m",)),
    ),
    "softmax_jacobian.inputs": layouts(rows(), rows(with_zeros)),
}  # fmt: skip

BACKWARD = {
    "softmax_backward.values": (
        S("a single row", pairs(), ("m",), cases=3),
        S("some rows", pairs(), ("r", "m"), cases=3),
        S("two weights", lambda n: pairs()(n, 2)),
        S("a single weight", lambda n, r: pairs()(n, 1, (r,)), ("r",)),
        S("equal weights", pairs(uniform), ("r", "m")),
        S("hidden keys", pairs(with_zeros), ("r", "m"), low=3),
        S("all the weight on one key", pairs(one_hot), ("r", "m")),
        S("nearly all the weight on one key", pairs(saturated), ("r", "m")),
        S("a long row", pairs(), ("m",), low=260, high=300),
        S("weights with all their digits", pairs(softmax_of_scores), ("r", "m")),
        S("gradients near 10000 with many digits", many_digits, ("r", "m"), cases=2),
    ),
    "softmax_backward.constant": (
        S("the same gradient along each row", constant(), ("r", "m"), cases=2),
        S("the same gradient along a single row", constant(), ("m",)),
        S("large equal gradients", constant(size=1e4), ("r", "m")),
        S("equal gradients, hidden keys", constant(with_zeros), ("a", "r", "m"), low=3),
    ),
    "softmax_backward.batch": batches(pairs()),
    "softmax_backward.memory": (
        S("two long rows", lambda n: pairs()(n, 800, (2,)), layout="measured"),
        S("a single long row", lambda n: pairs()(n, 800), layout="measured"),
        S("a batch of long rows", lambda n: pairs()(n, 600, (2, 1)), layout="measured"),
    ),
    "softmax_backward.float32": (
        S("float32", pairs(dtype=F32), ("r", "m"), cases=2),
        S("a float32 batch with all its digits", pairs(softmax_of_scores, dtype=F32), ("a", "b", "m"), high=5),
        S("equal float32 gradients", constant(dtype=F32), ("r", "m")),
        S("a saturated float32 row", pairs(saturated, dtype=F32), ("m",)),
    ),
    "softmax_backward.inputs": layouts(pairs(), pairs(with_zeros)),
}  # fmt: skip
