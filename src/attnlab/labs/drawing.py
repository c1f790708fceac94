"""How the cases of a lab are described: narrow Hypothesis strategies over sizes and a seed. Imports Hypothesis."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from hypothesis import strategies as st

from .model import Case


@dataclass(frozen=True)
class Numbers:
    """A source of random numbers that are multiples of `grain`, so that they are exact in float32 and easy to read."""

    rng: np.random.Generator
    grain: float = 0.25

    def array(self, *shape, spread=2.0, dtype=np.float64):
        """Return an array of `shape` with entries between -spread and spread."""
        steps = max(1, round(spread / self.grain))
        return (self.rng.integers(-steps, steps + 1, shape) * self.grain).astype(dtype)


@dataclass(frozen=True)
class Strategy:
    """One idea of what an input may look like.

    Attributes
    ----------
    name : str
        The idea, in words.
    build : callable
        ``build(numbers, **sizes) -> tuple`` of positional arguments for one call; or, with `together`, a tuple of
        such tuples, one for each call.
    dims : tuple of str
        Sizes drawn pairwise distinct from `low` to `high`.
    fixed : dict
        Sizes that are part of the idea.
    lead : tuple of int, optional
        Fewest and most leading axes; `build` then gets ``lead``, a tuple of their lengths.
    cases : int
        How many are drawn.
    layout : str
        How arrays are handed over; see `Case`.
    """

    name: str
    build: Callable
    dims: tuple[str, ...] = ()
    low: int = 2
    high: int = 6
    fixed: dict = field(default_factory=dict)
    lead: tuple[int, int] | None = None
    cases: int = 2
    layout: str = "plain"
    together: bool = False

    def search(self, check: str, relaxed: int | None = None):
        """Return the Hypothesis strategy for cases of `check`; `relaxed` lowers the sizes and lets them coincide."""
        return _case(self, check, relaxed)


@st.composite
def _case(draw, strategy, check, relaxed):
    if relaxed is None:
        span = range(strategy.low, max(strategy.high, strategy.low + len(strategy.dims) - 1) + 1)
        drawn = draw(st.lists(st.sampled_from(span), unique=True, min_size=len(strategy.dims), max_size=len(strategy.dims)))
        sizes = dict(zip(strategy.dims, drawn, strict=True))
        grain = 0.25
    else:
        low = min(relaxed, strategy.low)
        sizes = {name: draw(st.integers(low, max(low + 1, min(strategy.high, 6)))) for name in strategy.dims}
        grain = draw(st.sampled_from((1.0, 0.25)))
    sizes |= strategy.fixed
    if strategy.lead is not None:
        fewest, most = strategy.lead
        axes = draw(st.integers(fewest, most))
        sizes["lead"] = tuple(draw(st.sampled_from((2, 3, 1))) for _ in range(axes))
    numbers = Numbers(np.random.default_rng(draw(st.integers(0, 2**32 - 1))), grain)
    if strategy.together:
        calls = strategy.build(numbers, **sizes)
    else:
        calls = tuple(strategy.build(numbers, **sizes) for _ in range(2))
    return Case(check, strategy.name, calls, strategy.layout)
