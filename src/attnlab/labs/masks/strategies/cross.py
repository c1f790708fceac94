"""Inputs for cross_attention."""

import numpy as np

from ...drawing import Strategy as S
from .attention import blinding, padding, some_mask

F32 = np.float32


def two_texts(n, T_q, T_k, d_model, d_z, d_k, d_v, lead=(), dtype=np.float64):
    """Two sequences of other lengths and widths, and the three projections."""
    return (
        n.array(*lead, T_q, d_model, spread=1.5, dtype=dtype),
        n.array(*lead, T_k, d_z, spread=1.5, dtype=dtype),
        n.array(d_model, d_k, spread=1.0, dtype=dtype),
        n.array(d_z, d_k, spread=1.0, dtype=dtype),
        n.array(d_z, d_v, spread=1.0, dtype=dtype),
    )


def masked(n, T_q, T_k, d_model, d_z, d_k, d_v, lead=(), dtype=np.float64, mask=some_mask):
    """The same under a mask of as many axes."""
    return (*two_texts(n, T_q, T_k, d_model, d_z, d_k, d_v, lead, dtype), mask(n, *lead, T_q, T_k))


def blind(n, T_q, T_k, d_model, d_z, d_k, d_v, **more):
    """The same with some tokens that see nothing of the other text."""
    return masked(n, T_q, T_k, d_model, d_z, d_k, d_v, mask=blinding, **more)


def padded(n, B, T_q, T_k, d_model, d_z, d_k, d_v, empty=False):
    """A batch in which the texts that are asked have several lengths."""
    return (*two_texts(n, T_q, T_k, d_model, d_z, d_k, d_v, (B,)), padding(n, B, T_k, empty))


def same_text(n, T, d_model, d_k, d_v):
    """A text that asks itself."""
    X, _, W_q, W_k, W_v = two_texts(n, T, T, d_model, d_model, d_k, d_v)
    return X, X.copy(), W_q, W_k, W_v


ALL = ("T_q", "T_k", "d_model", "d_z", "d_k", "d_v")

CROSS_ATTENTION = {
    "cross_attention.reference": (
        S("six sizes that differ", two_texts, ALL, high=7, cases=4),
        S("equal widths", lambda n, T_q, T_k, d: two_texts(n, T_q, T_k, d, d, d, d), ("T_q", "T_k", "d"), cases=2),
        S("as many tokens in both texts",
          lambda n, T, d_model, d_z, d_k, d_v: two_texts(n, T, T, d_model, d_z, d_k, d_v),
          ("T", "d_model", "d_z", "d_k", "d_v")),
        S("equal lengths and widths", lambda n, T, d: two_texts(n, T, T, d, d, d, d), ("T", "d"), cases=2),
        S("wide keys", lambda n, T_q, T_k, d_v: two_texts(n, T_q, T_k, 3, 4, 36, d_v), ("T_q", "T_k", "d_v")),
        S("a text that asks itself", same_text, ("T", "d_model", "d_k", "d_v")),
        S("one token asks", lambda n, T_k, d_model, d_z, d_k, d_v: two_texts(n, 1, T_k, d_model, d_z, d_k, d_v),
          ALL[1:], high=6),
        S("one token is asked", lambda n, T_q, d_model, d_z, d_k, d_v: two_texts(n, T_q, 1, d_model, d_z, d_k, d_v),
          (ALL[0], *ALL[2:]), high=6),
        S("mask=None said aloud", lambda n, **sizes: (*two_texts(n, **sizes), None), ALL, high=7),
    ),
    "cross_attention.mask": (
        S("any mask", masked, ALL, high=7, cases=2),
        S("some tokens see nothing", blind, ALL, high=7, low=3, cases=3),
        S("as many tokens in both texts",
          lambda n, T, d_model, d_z, d_k, d_v: masked(n, T, T, d_model, d_z, d_k, d_v),
          ("T", "d_model", "d_z", "d_k", "d_v"), low=3, cases=2),
        S("nothing to see at all",
          lambda n, T_q, T_k, **d: (*two_texts(n, T_q, T_k, **d), np.zeros((1, T_k), bool)), ALL, high=7),
        S("padding of the text that is asked",
          lambda n, T_q, T_k, **d: (*two_texts(n, T_q, T_k, **d), padding(n, 1, T_k)[0]), ALL, high=7, low=3),
    ),
    "cross_attention.batch": (
        S("one leading axis", lambda n, b, **sizes: two_texts(n, lead=(b,), **sizes), ("b", *ALL), cases=2),
        S("one leading axis and a mask", lambda n, b, **sizes: blind(n, lead=(b,), **sizes), ("b", *ALL), low=2),
        S("two leading axes", lambda n, **sizes: blind(n, lead=(2, 3), **sizes), ALL),
        S("padding in a batch", padded, ("B", *ALL), cases=2),
        S("a text without tokens in a batch", lambda n, **sizes: padded(n, empty=True, **sizes), ("B", *ALL)),
        S("a batch of one", lambda n, **sizes: two_texts(n, lead=(1,), **sizes), ALL),
        S("as many texts as tokens that ask",
          lambda n, T_q, **sizes: padded(n, B=T_q, T_q=T_q, **sizes), ALL, low=3),
        S("one mask for the whole batch",
          lambda n, b, T_q, T_k, **d: (*two_texts(n, T_q, T_k, lead=(b,), **d), some_mask(n, T_q, T_k)), ("b", *ALL)),
        S("a cube", lambda n, T: two_texts(n, T, T, T, T, T, T, (T,)), ("T",), high=4),
    ),
    "cross_attention.inputs": (
        S("float32", lambda n, **sizes: blind(n, dtype=F32, **sizes), ALL, high=7, low=3),
        S("a float32 batch", lambda n, **sizes: two_texts(n, lead=(2,), dtype=F32, **sizes), ALL),
        S("read-only arrays", blind, ALL, low=3, layout="readonly"),
        S("arrays filled again between calls", blind, ALL, low=3, layout="refill"),
        S("views with gaps", masked, ALL, layout="strided"),
        S("columns closest in memory", masked, ALL, layout="fortran"),
        S("arrays used twice", two_texts, ALL),
    ),
}  # fmt: skip
