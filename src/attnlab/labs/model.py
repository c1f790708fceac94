"""What a lab is made of. Pure data: nothing here knows of notebooks, processes, terminals or Hypothesis."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module, resources
from importlib.util import find_spec


@dataclass(frozen=True)
class Output:
    """One thing that a part returns.

    Attributes
    ----------
    name : str
        Its name in messages.
    dtype : str, optional
        The dtype that the contract names, demanded by the checks that say so; or ``integer``, an exact whole number of
        any size, demanded by every check.
    broadcasts : bool
        Whether any shape is right that broadcasts to the expected one.
    """

    name: str
    dtype: str | None = None
    broadcasts: bool = False


@dataclass(frozen=True)
class Raises:
    """What an oracle returns, in a tuple of one, where the contract demands an exception.

    `error` is its name, `because` the id of the lab's sentence that says why, `facts` what fills that in.
    """

    error: str
    because: str
    facts: dict = field(default_factory=dict)


def nothing_exponentiated(*args) -> float:
    """Return 0: no number enters an exponential."""
    return 0.0


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
        Names of the documented parameters, in order; messages use them, calls are by position. A last one with a star
        in front, as in ``*masks``, takes any number of arguments.
    outputs : tuple of Output
        What comes back; more than one means "anything that unpacks into that many".
    oracle : callable
        ``oracle(*args) -> tuple``, one item for each output: an array of float64, bool or whole numbers, a number, or
        None where None must come back; or ``(Raises(...),)``. Plain loops from the formula.
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
    score_scale: Callable[..., float] = nothing_exponentiated
    uses: tuple[str, ...] = ()
    bonus: bool = False

    @property
    def variadic(self) -> bool:
        """Whether the last parameter takes any number of arguments."""
        return bool(self.inputs) and self.inputs[-1].startswith("*")

    def names(self, args: tuple) -> tuple[str, ...]:
        """Return what each argument of a call is called in messages."""
        if not self.variadic:
            return self.inputs[: len(args)]
        *named, rest = self.inputs
        return (*named[: len(args)], *(f"{rest[1:]}[{number}]" for number in range(len(args) - len(named))))


@dataclass(frozen=True)
class Case:
    """Arguments for one or more calls in a row, drawn once and replayed for everybody.

    An argument is None, a bool, a number, text, an array, or a list or tuple of those. ``layout`` says how they are
    handed over: ``plain``, ``readonly``, ``strided`` (a view with gaps), ``fortran`` (columns closest in memory, as in
    a transposed view), ``refill`` (the second call gets the very arrays of the first one, filled with other values),
    ``iterator`` (lists can be gone through once only) or ``measured`` (the memory that each call takes is measured).
    `expected` and `tolerances` hold, for each call and output, what the oracle says and how far from it an answer may
    be. Of a `hidden` case no report says more than that it failed.
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
    does not show. With `dtype` the dtypes named by the part's outputs are demanded as well. With `fresh` a result that
    shares memory with an input is wrong; it shows in cases laid out as ``refill``. ``memory(*args)`` says how many
    bytes a call may take at its peak, its result included; it is looked at in cases laid out as ``measured``.
    """

    id: str
    part: str
    points: float
    idea: str
    oracle: bool = True
    relation: Callable | None = None
    dtype: bool = False
    fresh: bool = False
    memory: Callable[..., int] | None = None


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

    def submission_source(self, misconception) -> str:
        """Return a student's whole file: the reference solution with one function replaced by its wrong version."""
        return import_module(f"{self.package}.misconceptions").submission_source(misconception)

    def plain(self):
        """Return the module of right functions of which the wrong versions are edits, spelled as they are.

        None in a lab that has none: there no two faults of one function are looked for.
        """
        name = f"{self.package}.misconceptions.plain"
        return import_module(name) if find_spec(name) is not None else None

    def strategies(self) -> dict:
        """Return ``{check id: tuple of strategies}``. Needed only where cases are drawn or shrunk."""
        return import_module(f"{self.package}.strategies").STRATEGIES
