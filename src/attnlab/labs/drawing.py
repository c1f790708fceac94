"""How the cases of a lab are described: narrow strategies over sizes and a seed.

One description serves twice. `Strategy.draw` takes the cases that are replayed for everybody from a NumPy generator:
Hypothesis mixes constants from whatever modules happen to be loaded into what it draws, so the same seed gives other
cases in another process, and marks must not depend on that. `Strategy.search` is the same description as a Hypothesis
strategy, for finding and shrinking a counterexample once something has failed; only it imports Hypothesis.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .model import Case

LEADING = (2, 3, 1)  # lengths of leading axes


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
    cases: int = 1
    layout: str = "plain"
    together: bool = False

    def draw(self, check: str, seed: int) -> Case:
        """Return the case of `check` that belongs to `seed`."""
        rng = np.random.default_rng(seed)
        sizes = {}
        if self.dims:
            span = range(self.low, max(self.high, self.low + len(self.dims) - 1) + 1)
            sizes = dict(zip(self.dims, map(int, rng.permutation(span)), strict=False))
        if self.lead is not None:
            axes = int(rng.integers(self.lead[0], self.lead[1] + 1))
            sizes["lead"] = tuple(LEADING[int(i)] for i in rng.integers(0, len(LEADING), axes))
        return self._case(check, Numbers(rng), sizes)

    def search(self, check: str, low: int):
        """Return the Hypothesis strategy for small cases of `check`: sizes from `low` on, which may coincide."""
        from hypothesis import strategies as st

        @st.composite
        def case(draw):
            least = min(low, self.low)
            sizes = {name: draw(st.integers(least, max(least + 1, min(self.high, 6)))) for name in self.dims}
            grain = draw(st.sampled_from((1.0, 0.25)))
            if self.lead is not None:
                axes = draw(st.integers(*self.lead))
                sizes["lead"] = tuple(draw(st.sampled_from(LEADING)) for _ in range(axes))
            rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
            try:
                return self._case(check, Numbers(rng, grain), sizes)
            except (ValueError, IndexError):  # an idea may not exist at the smallest sizes
                from hypothesis import reject

                reject()

        return case()

    def _case(self, check, numbers, sizes):
        sizes = sizes | self.fixed
        if self.together:
            calls = self.build(numbers, **sizes)
        else:
            calls = tuple(self.build(numbers, **sizes) for _ in range(2))
        return Case(check, self.name, calls, self.layout)
