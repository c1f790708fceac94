"""Inputs for the gate: causal_self_attention with a W_gate."""

import numpy as np

from ...drawing import Strategy as S
from .self_attention import WIDTHS, self_args

F32 = np.float32


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
