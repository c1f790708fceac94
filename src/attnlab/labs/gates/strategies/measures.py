"""Inputs for sink_share and gate_sparsity. A sink share needs two tokens; a search would also try one."""

import numpy as np

from ...drawing import Strategy as S

F32 = np.float32


def causal_weights(n, T, lead=(), dtype=np.float64):
    """Rows that sum to 1 under a causal mask, in 64ths, so that they are exact in float32."""
    T = max(T, 2)
    weights = np.zeros((*lead, T, T))  # (..., T, T)
    for index in np.ndindex(*lead, T):
        seen = index[-1] + 1
        weights[index][:seen] = n.rng.multinomial(64, np.full(seen, 1 / seen)) / 64
    return (weights.astype(dtype),)


def sunken(n, T, lead=()):
    """Nearly everything lies on the first key."""
    T = max(T, 2)
    weights = np.zeros((*lead, T, T))  # (..., T, T)
    share = n.rng.integers(50, 64, (*lead, T)) / 64  # (..., T)
    share[..., 0] = 1.0
    weights[..., 0] = share
    weights[..., np.arange(T), np.arange(T)] += 1 - share
    return (weights,)


def fine_weights(n, T):
    """Weights with digits beyond what float32 keeps."""
    T = max(T, 2)
    weights = n.rng.uniform(0.05, 1.0, (T, T)) * np.tri(T)  # (T, T)
    return (weights / weights.sum(axis=-1, keepdims=True),)


def gates(n, *shape, threshold=None, dtype=np.float64):
    """Gates in sixteenths from 0 to 1, some exactly at the threshold if it is one of them."""
    gate = (n.rng.integers(0, 17, shape) / 16).astype(dtype)  # (...)
    return (gate,) if threshold is None else (gate, threshold)


def near_tenth(n, *shape):
    """Gates at 0.1, just below it and just above it."""
    return (0.1 + n.rng.integers(-1, 2, shape) * 2.0**-10,)  # (...)


MEASURES = {
    "sink_share.values": (
        S("one matrix", causal_weights, ("T",), cases=3),
        S("two tokens", lambda n: causal_weights(n, 2), cases=2),
        S("a sink", sunken, ("T",), cases=2),
        S("even weights", lambda n, m: (np.tri(m + 1) / np.arange(1, m + 2)[:, None],), ("m",)),
        S("weights with many digits", fine_weights, ("T",), low=3),
        S("a longer sequence", causal_weights, ("T",), low=30, high=36),
    ),
    "sink_share.batch": (
        S("heads", lambda n, H, T: causal_weights(n, T, (H,)), ("H", "T"), cases=2),
        S("a batch of heads", lambda n, b, H, T: causal_weights(n, T, (b, H)), ("b", "H", "T"), cases=2),
        S("three leading axes", lambda n, T: causal_weights(n, T, (2, 1, 3)), ("T",)),
        S("as many heads as tokens", lambda n, T: causal_weights(n, T, (T,)), ("T",), low=3),
        S("a cube of four axes", lambda n, T: causal_weights(n, T, (T, T)), ("T",), low=3, high=4),
        S("a batch of two tokens each", lambda n, b, H: causal_weights(n, 2, (b, H)), ("b", "H"), low=3),
        S("one head is a sink", lambda n, T: (np.stack([sunken(n, T)[0], causal_weights(n, T)[0]]),), ("T",), low=3),
    ),
    "sink_share.inputs": (
        S("read-only weights", lambda n, H, T: causal_weights(n, T, (H,)), ("H", "T"), layout="readonly"),
        S("an array filled again between calls", causal_weights, ("T",), layout="refill"),
        S("a view with gaps", lambda n, H, T: causal_weights(n, T, (H,)), ("H", "T"), layout="strided"),
        S("columns closest in memory", lambda n, H, T: causal_weights(n, T, (H,)), ("H", "T"), layout="fortran"),
        S("float32", lambda n, H, T: causal_weights(n, T, (H,), F32), ("H", "T")),
    ),
    "gate_sparsity.values": (
        S("gates of all heads", lambda n, H, T, D: gates(n, H, T, D), ("H", "T", "D"), cases=2),
        S("one gate for each head", lambda n, b, H, T: gates(n, b, H, T, 1), ("b", "H", "T")),
        S("a vector", lambda n, m: gates(n, m), ("m",), cases=2),
        S("all shut", lambda n, m: (np.zeros((m, 2)),), ("m",)),
        S("all open", lambda n, m: (np.ones((2, m)),), ("m",)),
        S("a single gate", lambda n: gates(n, 1), cases=2),
        S("gates at 0.1 and next to it", lambda n, m: near_tenth(n, m, 3), ("m",), low=4),
        S("negative gates, as silu gives", lambda n, r, m: (gates(n, r, m)[0] - 0.25,), ("r", "m"), low=3),
        S("gates above 1, as silu gives", lambda n, r, m: (gates(n, r, m)[0] * 8,), ("r", "m"), low=3),
    ),
    "gate_sparsity.threshold": (
        S("a quarter", lambda n, r, m: gates(n, r, m, threshold=0.25), ("r", "m"), low=3, cases=2),
        S("a half", lambda n, H, T, D: gates(n, H, T, D, threshold=0.5), ("H", "T", "D")),
        S("threshold 0", lambda n, r, m: (gates(n, r, m)[0] - 0.5, 0.0), ("r", "m"), low=3),
        S("threshold 1", lambda n, r, m: gates(n, r, m, threshold=1.0), ("r", "m"), low=4),
        S("0.1 said aloud", lambda n, m: (*near_tenth(n, m, 3), 0.1), ("m",), low=4),
        S("a threshold below all gates", lambda n, r, m: (gates(n, r, m)[0] + 0.5, 0.25), ("r", "m")),
        S("every gate at the threshold", lambda n, r, m: (np.full((r, m), 0.25), 0.25), ("r", "m")),
    ),
    "gate_sparsity.inputs": (
        S("read-only gates", lambda n, r, m: gates(n, r, m, threshold=0.5), ("r", "m"), layout="readonly"),
        S("an array filled again between calls", lambda n, r, m: gates(n, r, m), ("r", "m"), low=3, layout="refill"),
        S("a view with gaps", lambda n, H, T, D: gates(n, H, T, D), ("H", "T", "D"), layout="strided"),
        S("columns closest in memory", lambda n, H, T, D: gates(n, H, T, D), ("H", "T", "D"), layout="fortran"),
        S("float32", lambda n, H, T, D: gates(n, H, T, D, threshold=0.5, dtype=F32), ("H", "T", "D")),
    ),
}  # fmt: skip
