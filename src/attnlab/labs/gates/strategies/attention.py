"""Inputs for gated_multi_head_attention."""

import math

import numpy as np

from ...drawing import Strategy as S
from .gate import width_of

F32 = np.float32
PLACES = ("G1", "G2", "G3", "G4", "G5")
KINDS = ("channels", "heads", "shared channels", "shared")


def args(n, T, H, D, kind="channels", options=(), lead=(), dtype=np.float64, width=None, spread=1.0):
    """Tokens, projections, and a gate projection of one kind; `options` come behind `n_heads` as they are."""
    if D == H:
        D += 1
    d_model = H * D
    square = tuple(n.array(d_model, d_model, spread=spread, dtype=dtype) for _ in range(4))
    X = n.array(*lead, T, d_model, spread=1.0, dtype=dtype)
    W_gate = n.array(d_model, width_of(kind, H, D) if width is None else width, spread=0.75, dtype=dtype)
    return (X, *square, W_gate, H, *options)


def some_mask(n, *shape):
    """A mask in which every row sees at least one key and, where there is room, hides at least one."""
    order = n.rng.permuted(np.broadcast_to(np.arange(shape[-1]), shape), axis=-1)  # (..., T, T)
    return order < n.rng.integers(1, max(2, shape[-1]), (*shape[:-1], 1))  # (..., T, T)


def masked(n, T, H, D, kind="channels", options=(), lead=(), mask=None, dtype=np.float64):
    """The same under a mask: causal unless `mask(T, H)` says which shape an arbitrary one has."""
    hidden = np.tri(T, dtype=bool) if mask is None else some_mask(n, *mask(T, H))
    options = (*options, *("G1", "sigmoid", "multiply")[len(options) :])
    return (*args(n, T, H, D, kind, options, lead, dtype), hidden)


def later_changed(n, T, H, D, options):
    """Two sequences under the causal mask that agree up to some token and differ in every later one."""
    X, *rest = masked(n, T, H, D, options=options)
    i = int(n.rng.integers(0, T - 1))
    Y = X.copy()
    Y[..., i + 1 :, :] += n.rng.choice((-1.0, 1.0), Y[..., i + 1 :, :].shape) + 0.25
    return (X, *rest), (Y, *rest)


def levelled(n, T, H, D, options, size, dtype=np.float64):
    """Scores near +size or -size, the same level for all keys of one query; no gate in front of them."""
    X, W_q, W_k, *rest = args(n, T, H, D, options=options)
    root = 2.0 ** math.floor(math.log2(X.shape[-1] // H) / 2)  # multiplying by it is exact in float32
    X[:, 0] = n.rng.permuted(np.round(np.linspace(-size, size, T)))  # (T,)
    X[:, 1] = 1.0
    for W in (W_q, W_k, *rest[:3]):
        W[0] = 0.0
    W_q[:, 0], W_k[:, 0] = 0.0, 0.0
    W_q[0, 0], W_k[1, 0] = root, 1.0
    return tuple(a.astype(dtype) if isinstance(a, np.ndarray) else a for a in (X, W_q, W_k, *rest))


def far_gate(n, T, H, D, options, size):
    """Gate logits near +size for some tokens and near -size for others; scores stay ordinary."""
    X, W_q, W_k, W_v, W_o, W_gate, *rest = args(n, T, H, D, options=options)
    X[:, 0] = n.rng.permuted(np.round(np.linspace(-size, size, T)))  # (T,)
    for W in (W_q, W_k, W_v):
        W[0] = 0.0
    W_gate[0] = 1.0
    return (X, W_q, W_k, W_v, W_o, W_gate, *rest)


def digits(n, T, H, D, position):
    """Every array holds digits beyond what float32 keeps."""
    made = args(n, T, H, D, options=(position,))
    return tuple(a + n.rng.uniform(-0.1, 0.1, a.shape) if isinstance(a, np.ndarray) else a for a in made)


def bad_and_good(n, T, H, D, where, name):
    """A call with one of the three options misnamed, then the same with all of them right."""
    made = args(n, T, H, D, "shared", ("G5", "sigmoid", "multiply"))
    return (*made[: 7 + where], name, *made[8 + where :]), made


SIZES = ("T", "H", "D")


def _s(name, build, **more):
    return S(name, build, **({"dims": SIZES, "high": 4} | more))


def _of(**more):
    return lambda n, T, H, D: args(n, T, H, D, **more)


GATED = {
    "gated_multi_head_attention.positions": (
        _s("the default place", _of(), cases=2),
        *(_s(f"a gate for each channel at {place}", _of(options=(place,)), cases=2) for place in PLACES),
        _s("larger sizes at G1", _of(options=("G1",)), low=3, high=7),
        _s("larger sizes at G2", _of(options=("G2",)), low=3, high=7),
        *(_s(f"one head at {place}", lambda n, T, D, place=place: args(n, T, 1, D, options=(place,)), dims=("T", "D"))
          for place in PLACES),  # with one head an example is small enough to be read
        _s("one token at G1", lambda n, H, D: args(n, 1, H, D, options=("G1",)), dims=("H", "D")),
        _s("as many tokens as heads at G1", lambda n, H, D: args(n, H, H, D, options=("G1",)), dims=("H", "D")),
        _s("as many tokens as channels of a head at G2",
           lambda n, H, D: args(n, D, H, D, options=("G2",)), dims=("H", "D"), low=3),
        *(_s(f"many digits at {place}", lambda n, T, H, D, place=place: digits(n, T, H, D, place))
          for place in ("G1", "G5")),
    ),
    "gated_multi_head_attention.shapes": (
        *(_s(f"{kind} at {place}", _of(kind=kind, options=(place,)))
          for place in PLACES[:4] for kind in KINDS[1:]),
        _s("one gate for all at G5", _of(kind="shared", options=("G5",)), cases=2),
        _s("more heads than channels, each head", lambda n, T, D: args(n, T, D + 2, D, "heads"), dims=("T", "D")),
        _s("as many tokens as heads, one gate", lambda n, H, D: args(n, H, H, D, "shared"), dims=("H", "D")),
    ),
    "gated_multi_head_attention.combine": (
        *(_s(f"added at {place}", _of(options=(place, "sigmoid", "add"))) for place in PLACES),
        *(_s(f"silu at {place}", _of(options=(place, "silu"))) for place in PLACES),
        _s("silu for each head, added at G1", _of(kind="heads", options=("G1", "silu", "add"))),
        _s("silu, shared channels, added at G3", _of(kind="shared channels", options=("G3", "silu", "add"))),
        _s("one silu for all, added at G5", _of(kind="shared", options=("G5", "silu", "add"))),
        _s("all options said aloud", _of(options=("G1", "sigmoid", "multiply"))),
        _s("mask=None said aloud", _of(options=("G2", "silu", "multiply", None))),
    ),
    "gated_multi_head_attention.causality": tuple(
        _s(f"later tokens changed, {' '.join(options)}",
           lambda n, T, H, D, options=options: later_changed(n, T, H, D, options), low=3, high=5, together=True)
        for options in (("G1",), ("G2",), ("G3", "silu"), ("G4", "sigmoid", "add"), ("G5", "silu", "add"))
    ),
    "gated_multi_head_attention.mask": (
        *(_s(f"a causal mask, {place}", lambda n, T, H, D, place=place: masked(n, T, H, D, options=(place,)))
          for place in PLACES),
        _s("any mask", lambda n, T, H, D: masked(n, T, H, D, mask=lambda T, H: (T, T))),
        _s("a mask for each head", lambda n, T, H, D: masked(n, T, H, D, mask=lambda T, H: (H, T, T)), cases=2),
        _s("a mask shared by the heads", lambda n, T, H, D: masked(n, T, H, D, mask=lambda T, H: (1, T, T))),
        _s("a mask that hides nothing",
           lambda n, T, H, D: (*args(n, T, H, D, options=("G1", "silu", "add")), np.ones((T, T), bool))),
    ),
    "gated_multi_head_attention.batch": (
        *(_s(f"a batch at {place}", lambda n, b, T, H, D, place=place: args(n, T, H, D, options=(place,), lead=(b,)),
             dims=("b", *SIZES)) for place in PLACES),
        _s("a batch, one gate for each head",
           lambda n, b, T, H, D: args(n, T, H, D, "heads", lead=(b,)), dims=("b", *SIZES)),
        _s("as many sequences as heads, one gate for all",
           lambda n, T, H, D: args(n, T, H, D, "shared", lead=(H,))),
        _s("as many sequences as tokens at G5, one gate for all",
           lambda n, T, H, D: args(n, T, H, D, "shared", ("G5",), lead=(T,))),
        _s("two leading axes", lambda n, T, H, D: args(n, T, H, D, lead=(2, 3))),
        _s("two leading axes at G5", lambda n, T, H, D: args(n, T, H, D, options=("G5",), lead=(3, 2))),
        _s("leading axes of length 1", lambda n, T, H, D: args(n, T, H, D, "heads", ("G2",), lead=(1, 1))),
        _s("a causal batch", lambda n, b, T, H, D: masked(n, T, H, D, lead=(b,)), dims=("b", *SIZES)),
        _s("a mask for each sequence",
           lambda n, b, T, H, D: masked(n, T, H, D, lead=(b,), mask=lambda T, H: (b, 1, T, T)), dims=("b", *SIZES)),
        _s("as many sequences as heads, a mask for each head",
           lambda n, T, H, D: masked(n, T, H, D, lead=(H,), mask=lambda T, H: (H, T, T))),
    ),
    "gated_multi_head_attention.numbers": (
        _s("float32", _of(dtype=F32)),
        _s("float32 at G5, silu", _of(options=("G5", "silu"), dtype=F32)),
        _s("float32 at G2, each head", _of(kind="heads", options=("G2",), dtype=F32)),
        _s("a causal float32 batch", lambda n, T, H, D: masked(n, T, H, D, lead=(2,), dtype=F32)),
        _s("scores near 10000 and -10000", lambda n, T, H, D: levelled(n, T, H, D, ("G1",), 1e4), low=3, high=5),
        _s("scores near 1000, gated values", lambda n, T, H, D: levelled(n, T, H, D, ("G2",), 1e3), low=3, high=5),
        _s("float32 scores near 200", lambda n, T, H, D: levelled(n, T, H, D, ("G1",), 200.0, F32), low=3, high=5),
        _s("gate logits near 1000 and -1000",
           lambda n, T, H, D: far_gate(n, T, H, D, ("G1",), 1e3), low=3, high=5),
        _s("large silu gates", lambda n, T, H, D: far_gate(n, T, H, D, ("G5", "silu"), 1e3), low=3, high=5),
    ),
    "gated_multi_head_attention.errors": (
        _s("no place's name", lambda n, T, H, D: bad_and_good(n, T, H, D, 0, "G6"), together=True),
        _s("a place in small letters", lambda n, T, H, D: bad_and_good(n, T, H, D, 0, "g1"), together=True),
        _s("no activation's name", lambda n, T, H, D: bad_and_good(n, T, H, D, 1, "relu"), together=True),
        _s("no combination's name", lambda n, T, H, D: bad_and_good(n, T, H, D, 2, "subtract"), together=True),
        _s("an empty name", lambda n, T, H, D: bad_and_good(n, T, H, D, 2, ""), together=True),
        _s("a gate for each head at G5", _of(kind="heads", options=("G5",))),
        _s("shared channels at G5", _of(kind="shared channels", options=("G5",))),
        _s("one column too many at G1", lambda n, T, H, D: args(n, T, H, D, width=H * max(D, H) * 2 + 1)),
        _s("one column too many at G5",
           lambda n, T, H, D: args(n, T, H, D, options=("G5",), width=H * max(D, H) * 2 + 1)),
    ),
    "gated_multi_head_attention.inputs": (
        _s("read-only arrays", _of(), layout="readonly"),
        _s("read-only arrays at G3, each head", _of(kind="heads", options=("G3", "silu", "add")), layout="readonly"),
        _s("read-only arrays at G5", _of(options=("G5",)), layout="readonly"),
        _s("arrays filled again between calls", lambda n, T, H, D: masked(n, T, H, D), layout="refill"),
        _s("views with gaps", _of(options=("G4",)), layout="strided"),
        _s("columns closest in memory", lambda n, b, T, H, D: args(n, T, H, D, lead=(b,)), dims=("b", *SIZES),
           layout="fortran"),
        _s("a read-only causal batch", lambda n, b, T, H, D: masked(n, T, H, D, lead=(b,)), dims=("b", *SIZES),
           layout="readonly"),
    ),
}  # fmt: skip
