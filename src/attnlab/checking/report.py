"""The result of checking a target against a lab. Everything a way out shows is derived from it."""

from dataclasses import dataclass

from ..labs.model import Case, Check, Fault, Lab, Part
from .target import Problem


@dataclass(frozen=True)
class Counterexample:
    """One call and what came of it.

    `got` holds one array for each output, or None where there is none to show; `first` what the first call gave, where
    the fault lies between the two.
    """

    case: Case
    call: int
    args: tuple
    expected: tuple
    got: tuple | None
    fault: Fault
    first: tuple | None = None


@dataclass(frozen=True)
class CheckResult:
    """What became of one check."""

    check: Check
    outcome: str
    fault: Fault | None = None
    counterexample: Counterexample | None = None
    carried: float = 0.0

    @property
    def score(self) -> float:
        """The points gained; of a failed check those carried forward because it is right given right helpers."""
        return self.check.points if self.outcome == "passed" else self.carried


@dataclass(frozen=True)
class PartResult:
    """What became of one part.

    `right_given_right_helpers` says whether it passes with right functions in place of the failed ones it uses, None
    where that was not found out; `given` holds the checks of that second judgement. `misconceptions` are the ids of
    what it behaves like: one known wrong version or, where no single one will do, two of them at once. `behaviour` is
    the fingerprint of a failed part.
    """

    part: Part
    status: str
    checks: tuple[CheckResult, ...]
    right_given_right_helpers: bool | None = None
    misconceptions: tuple[str, ...] = ()
    given: tuple[CheckResult, ...] | None = None
    behaviour: str = ""

    @property
    def misconception(self) -> str | None:
        """The id of the one known wrong version it behaves like, if it is one."""
        return self.misconceptions[0] if len(self.misconceptions) == 1 else None

    @property
    def score(self) -> float:
        """The points gained."""
        return sum(result.score for result in self.checks)

    @property
    def max_score(self) -> float:
        """The points that can be gained."""
        return sum(result.check.points for result in self.checks)


@dataclass(frozen=True)
class Report:
    """One submission, judged."""

    lab: Lab
    parts: tuple[PartResult, ...]
    problems: tuple[Problem, ...] = ()

    @property
    def score(self) -> float:
        """Points of the parts that count."""
        return sum(result.score for result in self.parts if not result.part.bonus)

    @property
    def max_score(self) -> float:
        """The points that can be gained, without the bonus."""
        return sum(result.max_score for result in self.parts if not result.part.bonus)

    @property
    def passed(self) -> bool:
        """Whether every part that counts passed."""
        return all(result.status == "passed" for result in self.parts if not result.part.bonus)

    @property
    def root_cause(self) -> str | None:
        """The first failed part none of whose helpers failed; parts stand in the order in which they use each other."""
        failed = {result.part.name for result in self.parts if result.status != "passed"}
        for graded in (True, False):
            for result in self.parts:
                if result.part.bonus != graded and result.part.name in failed and not failed & set(result.part.uses):
                    return result.part.name
        return None

    def part(self, name: str) -> PartResult:
        """Return the result of one part; KeyError if there is none."""
        for result in self.parts:
            if result.part.name == name:
                return result
        raise KeyError(name)
