"""Inputs for sigmoid, silu and gate_values."""

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


def logits(n, *, m, lead=(), dtype=np.float64, spread=3.0, base=0.0):
    """Ordinary logits around `base`."""
    return ((n.array(*lead, m, spread=spread) + base).astype(dtype),)


def far_logits(n, *, m, lead=(), size=1e6, dtype=np.float64):
    """Logits of either sign, `size` apart."""
    ranks = n.rng.permuted(np.broadcast_to(np.arange(m), (*lead, m)), axis=-1)  # (..., m)
    return (((ranks - m // 2) * size).astype(dtype),)


def fine_logits(n, *, m, lead=()):
    """Logits whose digits go beyond what float32 holds."""
    return (n.rng.uniform(-4.0, 4.0, (*lead, m)),)


def _values(name):
    return (
        S("ordinary numbers", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), cases=2),
        S("a vector", logits, ("m",)),
        S("a single number in an array", lambda n: logits(n, m=1, spread=2.0), cases=2),
        S("an array without axes", lambda n: (n.array(spread=3.0),), cases=2),
        S("zeros", lambda n, m: (np.zeros(m),), ("m",)),
        S("numbers up to 30", lambda n, r, m: logits(n, m=m, lead=(r,), spread=30.0), ("r", "m")),
        S("numbers with many digits", lambda n, r, m: fine_logits(n, m=m, lead=(r,)), ("r", "m")),
        S("four axes", lambda n, a, m: logits(n, m=m, lead=(2, a, 1)), ("a", "m")),
        S("all negative", lambda n, m: logits(n, m=m, base=-4.0), ("m",)),
        S("float32", lambda n, r, m: logits(n, m=m, lead=(r,), dtype=F32), ("r", "m")),
        S("a read-only array", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="readonly"),
        S("an array filled again between calls", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"),
          layout="refill"),
        S("a view with gaps", lambda n, r, m: logits(n, m=m, lead=(r,)), ("r", "m"), layout="strided"),
    )  # fmt: skip


LARGE = (
    S("up to 10000 either way", lambda n, r, m: logits(n, m=m, lead=(r,), spread=1e4), ("r", "m"), cases=2),
    S("around 1000", lambda n, m: logits(n, m=m, base=1e3), ("m",)),
    S("around -1000", lambda n, m: logits(n, m=m, base=-1e3), ("m",)),
    S("millions", lambda n, r, m: far_logits(n, m=m, lead=(r,)), ("r", "m")),
    S("around 12", lambda n, m: logits(n, m=m, base=12.0, spread=2.0), ("m",)),
    S("around -12", lambda n, m: logits(n, m=m, base=-12.0, spread=2.0), ("m",)),
    S("float32 beyond 88", lambda n, r, m: logits(n, m=m, lead=(r,), spread=400.0, dtype=F32), ("r", "m")),
    S("float32 around -10000", lambda n, m: logits(n, m=m, base=-1e4, dtype=F32), ("m",)),
)  # fmt: skip

ACTIVATIONS = {
    "sigmoid.values": _values("sigmoid"),
    "sigmoid.large": LARGE,
    "silu.values": _values("silu"),
    "silu.large": LARGE,
}


def width_of(kind, H, D):
    """Return how wide a `W_gate` of a kind is."""
    return {"channels": H * D, "heads": H, "shared channels": D, "shared": 1}[kind]


def gate_args(n, kind, T, H, D, lead=(), activation=None, dtype=np.float64, spread=1.0, width=None):
    """Tokens and a gate projection of one kind; without an activation the default is asked for."""
    if D == H:
        D += 1
    width = width_of(kind, H, D) if width is None else width
    args = (
        n.array(*lead, T, H * D, spread=1.5, dtype=dtype),
        n.array(H * D, width, spread=spread, dtype=dtype),
        H,
    )
    return args if activation is None else (*args, activation)


def other_width(n, T, H, D, step):
    """A width next to a legal one that is none itself."""
    if D == H:
        D += 1
    near = range(H * D + 1, H * D + 2) if step > 0 else range(H * D - 1, 0, -1)
    width = next((w for w in near if w not in (H, D, 1)), 1)  # 1, a legal one, where there is none
    return gate_args(n, "shared", T, H, D, width=width)


def good_and_bad(n, T, H, D):
    """A legal call, then the same tokens with the name of no activation."""
    good = gate_args(n, "heads", T, H, D, activation="silu")
    return good, (*good[:3], "tanh")


def near_limits(n, kind, T, H, D, size, dtype=np.float64):
    """Gate logits near +size for some tokens, near -size for the others."""
    X, W, H = gate_args(n, kind, T, H, D)
    X[..., 0] = n.rng.permuted(np.round(np.linspace(-size, size, T)))  # (T,)
    W[0] = 1.0
    return X.astype(dtype), W.astype(dtype), H


SIZES = ("T", "H", "D")


def _of(kind, **more):
    return lambda n, T, H, D: gate_args(n, kind, T, H, D, **more)


def _alone(kind, **more):
    return lambda n, T, D: gate_args(n, kind, T, 1, D, **more)


GATE_VALUES = {
    "gate_values.channels": (
        S("a gate for each channel of each head", _of("channels"), SIZES, cases=3),
        S("as many tokens as channels", lambda n, H, D: gate_args(n, "channels", D, H, D), ("H", "D")),
        S("as many tokens as heads", lambda n, H, D: gate_args(n, "channels", H, H, D), ("H", "D")),
        S("one head, a gate for each channel", _alone("channels"), ("T", "D")),
        S("one token", lambda n, H, D: gate_args(n, "channels", 1, H, D), ("H", "D")),
        S("zeros in W_gate", lambda n, T, H, D: gate_args(n, "channels", T, H, D, spread=0.0), SIZES),
        S("tokens with many digits", lambda n, T, H, D: _digits(n, gate_args(n, "channels", T, H, D)), SIZES),
    ),
    "gate_values.heads": (
        S("one gate for each head", _of("heads"), SIZES, cases=3),
        S("more heads than channels", lambda n, T, D: gate_args(n, "heads", T, D + 2, D), ("T", "D")),
        S("as many tokens as heads", lambda n, H, D: gate_args(n, "heads", H, H, D), ("H", "D")),
        S("as many tokens as channels", lambda n, H, D: gate_args(n, "heads", D, H, D), ("H", "D"), low=3),
        S("one token", lambda n, H, D: gate_args(n, "heads", 1, H, D), ("H", "D")),
    ),
    "gate_values.shared": (
        S("a gate for each channel, shared by the heads", _of("shared channels"), SIZES, cases=2),
        S("one gate for all", _of("shared"), SIZES, cases=2),
        S("more channels than heads", lambda n, T, H: gate_args(n, "shared channels", T, H, H + 2), ("T", "H")),
        S("fewer channels than heads", lambda n, T, D: gate_args(n, "shared channels", T, D + 1, D), ("T", "D")),
        S("one head, one gate", _alone("shared"), ("T", "D")),
        S("one token, one gate", lambda n, H, D: gate_args(n, "shared", 1, H, D), ("H", "D")),
        S("as many tokens as heads, one gate", lambda n, H, D: gate_args(n, "shared", H, H, D), ("H", "D")),
        S("as many tokens as heads, shared channels",
          lambda n, H, D: gate_args(n, "shared channels", H, H, D), ("H", "D")),
    ),
    "gate_values.activation": (
        S("silu for each channel", _of("channels", activation="silu"), SIZES),
        S("silu for each head", _of("heads", activation="silu"), SIZES),
        S("silu, shared", _of("shared channels", activation="silu"), SIZES),
        S("silu, one for all", _of("shared", activation="silu"), SIZES),
        S("sigmoid said aloud", _of("channels", activation="sigmoid"), SIZES),
        S("the default", _of("heads"), SIZES),
    ),
    "gate_values.batch": (
        S("a batch, each channel", lambda n, b, T, H, D: gate_args(n, "channels", T, H, D, (b,)), ("b", *SIZES)),
        S("a batch, each head", lambda n, b, T, H, D: gate_args(n, "heads", T, H, D, (b,)), ("b", *SIZES)),
        S("a batch, shared channels",
          lambda n, b, T, H, D: gate_args(n, "shared channels", T, H, D, (b,)), ("b", *SIZES)),
        S("a batch, one gate for all", lambda n, b, T, H, D: gate_args(n, "shared", T, H, D, (b,)), ("b", *SIZES)),
        S("as many sequences as heads, one gate",
          lambda n, T, H, D: gate_args(n, "shared", T, H, D, (H,)), SIZES),
        S("as many sequences as heads, each head",
          lambda n, T, H, D: gate_args(n, "heads", T, H, D, (H,)), SIZES),
        S("two leading axes", lambda n, T, H, D: gate_args(n, "channels", T, H, D, (2, 3)), SIZES),
        S("two leading axes, each head", lambda n, T, H, D: gate_args(n, "heads", T, H, D, (3, 2)), SIZES),
        S("leading axes of length 1", lambda n, T, H, D: gate_args(n, "heads", T, H, D, (1, 2, 1)), SIZES),
    ),
    "gate_values.numbers": (
        S("float32", _of("channels", dtype=F32), SIZES),
        S("float32, silu, each head", _of("heads", activation="silu", dtype=F32), SIZES),
        S("logits near 10000 and -10000",
          lambda n, T, H, D: near_limits(n, "channels", T, H, D, 1e4), SIZES, low=3),
        S("logits near 1000 and -1000, one gate",
          lambda n, T, H, D: near_limits(n, "shared", T, H, D, 1e3), SIZES, low=3),
        S("large logits, silu", lambda n, T, H, D: (*near_limits(n, "heads", T, H, D, 1e4), "silu"), SIZES, low=3),
        S("float32 logits near 200",
          lambda n, T, H, D: near_limits(n, "channels", T, H, D, 200.0, F32), SIZES, low=3),
    ),
    "gate_values.errors": (
        S("one column too many", lambda n, T, H, D: other_width(n, T, H, D, 1), SIZES),
        S("one column too few", lambda n, T, H, D: other_width(n, T, H, D, -1), SIZES, low=3),
        S("two gates for each channel", lambda n, T, H, D: gate_args(n, "shared", T, H, D + 5, width=2 * H * (D + 5)),
          SIZES),
        S("a known and an unknown activation", good_and_bad, SIZES, together=True, cases=2),
        S("no activation's name", _of("channels", activation="relu"), SIZES),
        S("an empty name", _of("heads", activation=""), SIZES),
        S("a legal width beside them", _of("shared channels"), SIZES),
    ),
    "gate_values.inputs": (
        S("read-only arrays", _of("channels"), SIZES, layout="readonly"),
        S("read-only arrays, silu", _of("heads", activation="silu"), SIZES, layout="readonly"),
        S("arrays filled again between calls", _of("channels"), SIZES, layout="refill"),
        S("views with gaps", _of("shared channels"), SIZES, layout="strided"),
        S("columns closest in memory", lambda n, b, T, H, D: gate_args(n, "channels", T, H, D, (b,)), ("b", *SIZES),
          layout="fortran"),
        S("a batch used twice", lambda n, b, T, H, D: gate_args(n, "heads", T, H, D, (b,)), ("b", *SIZES)),
    ),
}  # fmt: skip


def _digits(n, args):
    X, W, *rest = args
    return (X + n.rng.uniform(-0.1, 0.1, X.shape), W + n.rng.uniform(-0.1, 0.1, W.shape), *rest)
