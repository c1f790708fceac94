"""A Report as one list of checks, which is how JUnit, Gradescope and GitHub Classroom see it."""

from dataclasses import dataclass

from ..checking.report import Report
from ..texts import visible
from .words import Words


@dataclass(frozen=True)
class Entry:
    """One check in words.

    Attributes
    ----------
    id, part, title : str
        The check, the part it belongs to and what it states.
    outcome : str
        ``passed``, ``failed``, ``stale``, ``error``, ``todo``, ``missing``, ``timeout`` or ``died``.
    score, max_score : float
        Points gained, and points that can be.
    bonus : bool
        Whether the points count towards no maximum.
    message : str
        Why it did not pass; empty if it did.
    lines : tuple of str
        The smallest example. Only visible cases have one: of hidden ones nothing but the failure is told.
    """

    id: str
    part: str
    title: str
    outcome: str
    score: float
    max_score: float
    bonus: bool
    message: str
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        """The part and the statement, as pytest names the check."""
        return f"{self.part}: {self.title}"

    @property
    def passed(self) -> bool:
        """Whether the check passed."""
        return self.outcome == "passed"

    @property
    def text(self) -> str:
        """The message, and the example under it."""
        return "\n".join((self.message, "", *self.lines)) if self.lines else self.message


def entries(report: Report, lang: str) -> tuple[Entry, ...]:
    """Return the checks of a report, in the order of the lab.

    The first check of a part that fails also says which idea went wrong, where that is known.
    """
    words, found = Words(report, lang), []
    for result in report.parts:
        diagnosis = " ".join(words.diagnosis(result))
        for check in result.checks:
            example = check.counterexample
            message = words.message(check)
            if diagnosis and check.outcome != "passed":
                message, diagnosis = f"{diagnosis}\n{message}", ""
            found.append(
                Entry(
                    check.check.id, result.part.name, words.title(check), check.outcome, check.score,
                    check.check.points, result.part.bonus, visible(message),
                    () if example is None else tuple(map(visible, words.lines(example))),
                )
            )  # fmt: skip
    return tuple(found)


def overall(report: Report, lang: str) -> tuple[str, ...]:
    """Return what is said of the whole: code that was skipped, the points, and where to start."""
    words = Words(report, lang)
    told = words.problems()
    lines = [words.say("problem.skipped"), *(f"  {line}" for line in told)] if told else []
    lines.append(words.say("report.points", score=f"{report.score:g}", max_score=f"{report.max_score:g}"))
    bonus = [result for result in report.parts if result.part.bonus]
    if bonus:
        facts = {"score": f"{sum(r.score for r in bonus):g}", "max_score": f"{sum(r.max_score for r in bonus):g}"}
        lines[-1] = f"{lines[-1]}, {words.say('report.bonus_points', **facts)}"
    root = report.root_cause
    lines.append(words.say("report.all_right") if root is None else words.say("report.start_here", part=root))
    if root is not None:
        lines += (line for result in report.parts if result.status not in ("passed", "todo", "missing")
                  if (line := words.consequence(result)))  # fmt: skip
    return tuple(map(visible, lines))
