"""Inputs for causal_self_attention."""

import math

import numpy as np

from ...drawing import Strategy as S
from .attention import root

F32 = np.float32


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


def many_digits(n, T, d_model, d_k, d_v, size=9000.0):
    """Every score is near `size`, and what makes them differ goes beyond what float32 holds."""
    X, W_q, W_k, W_v = (a + n.rng.uniform(-0.1, 0.1, a.shape) for a in self_args(n, T, d_model, d_k, d_v))
    X[:, 0] = 1.0  # (T,): the column that carries the size
    W_q[0], W_q[1:] = 1.0, W_q[1:] / size
    W_k[0] = size / math.sqrt(d_k)
    return X, W_q, W_k, W_v


def high_future(n, T, d_model, d_k, d_v, rise=600.0):
    """The later a key, the higher its score: the future stands hundreds above what a token may see."""
    X, W_q, W_k, W_v = self_args(n, T, d_model, d_k, d_v)
    X[:, 0], X[:, 1] = np.arange(T), 1.0  # (T,)
    for W in (W_q, W_k, W_v):
        W[0], W[1], W[:, 0] = 0.0, 0.0, W[:, 0] if W is W_v else 0.0
    W_q[1, 0] = root(d_k)
    W_k[0, 0] = rise * math.sqrt(d_k) / root(d_k) / (T - 1)
    return X, W_q, W_k, W_v


def many_tokens(n, T):
    """More tokens than the longest context somebody might have built a mask for; few kinds, so that it packs small."""
    _, *W = self_args(n, T, 3, 2, 4)
    return ((np.eye(3)[n.rng.integers(0, 3, T)], *W),)


WIDTHS = ("T", "d_model", "d_k", "d_v")

SELF_ATTENTION = {
    "causal_self_attention.causality": (
        S("later tokens changed", later_changed, WIDTHS, low=3, cases=5, together=True),
        S("later tokens of a batch changed", later_changed, WIDTHS, low=3, lead=(1, 1), cases=2, together=True),
        S("only the last token changed",
          lambda n, d_model, d_k, d_v: later_changed(n, 2, d_model, d_k, d_v), ("d_model", "d_k", "d_v"),
          together=True),
    ),
    "causal_self_attention.reference": (
        S("sizes that differ", self_args, WIDTHS, cases=5),
        S("square projections", lambda n, T, d: self_args(n, T, d, d, d), ("T", "d"), cases=3),
        S("all sizes equal", lambda n, T: self_args(n, T, T, T, T), ("T",)),
        S("one token", lambda n, d_model, d_k, d_v: self_args(n, 1, d_model, d_k, d_v), ("d_model", "d_k", "d_v")),
        S("two tokens", lambda n, d_model, d_k, d_v: self_args(n, 2, d_model, d_k, d_v), ("d_model", "d_k", "d_v")),
        S("wide keys", lambda n, T, d_model, d_v: self_args(n, T, d_model, 100, d_v), ("T", "d_model", "d_v")),
        S("one number to a key", lambda n, T, d_model, d_v: self_args(n, T, d_model, 1, d_v), ("T", "d_model", "d_v")),
        S("one number to a hidden state", lambda n, T, d_k, d_v: self_args(n, T, 1, d_k, d_v), ("T", "d_k", "d_v")),
        S("a longer sequence", lambda n, T: self_args(n, T, 4, 3, 5), ("T",), low=30, high=40),
        S("more than a hundred tokens", many_tokens, ("T",), low=130, high=140, together=True),
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
        S("scores near 9000 with many digits", many_digits, WIDTHS, cases=2),
        S("future scores hundreds above the visible ones", high_future, WIDTHS, low=3, cases=2),
        S("float32 scores near 200",
          lambda n, T, d_model, d_k, d_v: levelled_tokens(n, T, d_model, d_k, d_v, 200.0, F32), WIDTHS, low=3),
    ),
    "causal_self_attention.inputs": (
        S("read-only arrays", self_args, WIDTHS, layout="readonly"),
        S("arrays filled again between calls", self_args, WIDTHS, layout="refill"),
        S("views with gaps", self_args, WIDTHS, layout="strided"),
        S("columns closest in memory", self_args, WIDTHS, layout="fortran"),
        S("a read-only batch", lambda n, T, d_model, d_k, d_v: self_args(n, T, d_model, d_k, d_v, (2,)), WIDTHS,
          layout="readonly"),
    ),
}  # fmt: skip
