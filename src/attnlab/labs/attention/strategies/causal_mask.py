"""Inputs for causal_mask."""

from ...drawing import Strategy as S

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
