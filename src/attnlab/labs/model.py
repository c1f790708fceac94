"""What a lab is made of. Pure data: nothing here knows of notebooks, processes, terminals or Hypothesis."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module, resources


@dataclass(frozen=True)
class Output:
    """One array that a part returns: its name in messages, and its dtype where the contract names one."""

    name: str
    dtype: str | None = None


@dataclass(frozen=True)
class Part:
    """One thing judged: a function of the lab, or an option of a function that is judged apart.

    Attributes
    ----------
    name : str
        The part's name in reports.
    function : str
        The student's function that is called for it.
    inputs : tuple of str
        Names of the documented parameters, in order; messages use them, calls are by position.
    outputs : tuple of Output
        What comes back; more than one means "anything that unpacks into that many".
    oracle : callable
        ``oracle(*args) -> tuple`` of float64 or bool arrays, one for each output: plain loops from the formula.
    score_scale : callable
        ``score_scale(*args) -> float``: the largest magnitude that enters an exponential, for the float32 tolerance.
    uses : tuple of str
        Parts a natural solution calls. A fault there is looked at first.
    bonus : bool
        Bonus parts add to neither the maximum nor a failing exit code.
    """

    name: str
    function: str
    inputs: tuple[str, ...]
    outputs: tuple[Output, ...]
    oracle: Callable[..., tuple]
    score_scale: Callable[..., float]
    uses: tuple[str, ...] = ()
    bonus: bool = False


@dataclass(frozen=True)
class Case:
    """Arguments for one or more calls in a row, drawn once and replayed for everybody.

    ``layout`` says how arrays are handed over: ``plain``, ``readonly``, ``strided`` (a view with gaps), ``fortran``
    (columns closest in memory, as in a transposed view) or ``refill`` (the second call gets the very arrays of the
    first one, filled with other values). `expected` and `tolerances` hold, for each call and output, what the oracle
    says and how far from it an answer may be. Of a `hidden` case no report says more than that it failed.
    """

    check: str
    strategy: str
    calls: tuple[tuple, ...]
    layout: str = "plain"
    expected: tuple[tuple, ...] = ()
    tolerances: tuple[tuple[float, ...], ...] = ()
    hidden: bool = False


@dataclass(frozen=True)
class Fault:
    """Why a check failed: the id of a message and the facts that fill it in. `kind` is what shrinking must preserve.

    ``where`` holds, for an output by number, the index of the offending entry; ``compares`` says that the call is held
    against the first one rather than against an expected value.
    """

    kind: str
    message: str
    facts: dict = field(default_factory=dict)
    outcome: str = "failed"
    call: int = 0
    output: int | None = None
    where: tuple[int, ...] | None = None
    compares: bool = False


@dataclass(frozen=True)
class Check:
    """One statement about a part, worth some points.

    With `oracle` the outputs of every call must equal the oracle's. A `relation` gets the case, the outputs of its
    calls and their tolerances, ``relation(case, outputs, tolerances) -> Fault | None``, and judges what a comparison
    does not show. With `dtype` the dtypes named by the part's outputs are demanded as well.
    """

    id: str
    part: str
    points: float
    idea: str
    oracle: bool = True
    relation: Callable | None = None
    dtype: bool = False


@dataclass(frozen=True)
class Lab:
    """Everything one lab asks. ``core`` is the dotted name of its mathematics module."""

    name: str
    core: str
    parts: tuple[Part, ...]
    checks: tuple[Check, ...]
    observe: Callable | None = None
    """``observe(part, args, expected, got, output, wrong) -> Fault | None``: the lab's own words for wrong values."""

    @property
    def package(self) -> str:
        """Dotted name of the lab's folder."""
        return f"attnlab.labs.{self.name}"

    @property
    def folder(self):
        """The lab's folder: prose, catalogues, drawn cases."""
        return resources.files(self.package)

    def part(self, name: str) -> Part:
        """Return the part called `name`; KeyError if there is none."""
        for part in self.parts:
            if part.name == name:
                return part
        raise KeyError(name)

    def checks_of(self, part: str) -> tuple[Check, ...]:
        """Return the checks of one part, in order."""
        return tuple(check for check in self.checks if check.part == part)

    def points(self, part: str) -> float:
        """Return what a part is worth."""
        return sum(check.points for check in self.checks_of(part))

    @property
    def functions(self) -> tuple[str, ...]:
        """Names of the student's functions, each once, in the order they are taught."""
        return tuple(dict.fromkeys(part.function for part in self.parts))

    def misconceptions(self) -> tuple:
        """Return the known wrong versions. Needed only once something has failed."""
        return import_module(f"{self.package}.misconceptions").MISCONCEPTIONS

    def plain(self):
        """Return the module of right functions of which the wrong versions are edits, spelled as they are."""
        return import_module(f"{self.package}.misconceptions.plain")

    def strategies(self) -> dict:
        """Return ``{check id: tuple of strategies}``. Needed only where cases are drawn or shrunk."""
        return import_module(f"{self.package}.strategies").STRATEGIES
