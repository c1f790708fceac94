"""What the engine needs of the thing it judges. Where a target runs is no concern of the engine."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..labs.model import Case, Part


class Lost(BaseException):
    """The target stopped answering. A BaseException, so that no search takes it for a counterexample.

    `kind` is ``timeout`` or ``died``; `detail` the seconds, or what ended the process: ``exit``, the name of a
    signal, or ``babble`` for answers that were none. With `in_all` it was not one call that took too long.
    """

    def __init__(self, kind: str, detail: str, in_all: bool = False):
        super().__init__(kind, detail)
        self.kind, self.detail, self.in_all = kind, detail, in_all


class Interrupted(BaseException):
    """Somebody no longer wants the answer. A BaseException, for the same reason."""


@dataclass(frozen=True)
class Problem:
    """Something that went wrong while the student's source was loaded.

    `kind` is an exception's name, ``timeout``, ``died`` or ``unreadable`` (`text` is then a whole sentence).
    """

    kind: str
    text: str
    place: str = ""
    line: int = 0


@dataclass(frozen=True)
class Survey:
    """What a target defines: for each function ``there``, ``stub``, ``odd`` or ``missing``; and what failed meanwhile.

    `causes` holds, for a missing function, the problem in the piece of source that was to define it; `close` the name
    of another function of the student's that looks like it misspelt.
    """

    functions: dict[str, str]
    problems: tuple[Problem, ...] = ()
    causes: dict[str, Problem] = field(default_factory=dict)
    close: dict[str, str] = field(default_factory=dict)


class Target(Protocol):
    """A student's functions."""

    def survey(self) -> Survey:
        """Load what there is and say what it defines."""

    def run(self, part: Part, cases: Sequence[Case], stand_ins: dict) -> Iterator[tuple]:
        """Yield one `attnlab.sandbox.agent.run_case` result for each case, in order; raise `Lost` when lost.

        `stand_ins`, ``{name: (right function, names of its parameters)}``, take the place of functions of the student's
        for this run.
        """

    def run_case(self, function, n_outputs: int, layout: str, calls: tuple) -> tuple:
        """Run a function of ours on a case just as the student's are run, and describe what came of it."""

    def close(self) -> None:
        """Leave nothing behind."""
