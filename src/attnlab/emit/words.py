"""A Report in words: the sentences and small matrices that every way out shows."""

from dataclasses import dataclass

import numpy as np

from .. import texts
from ..checking.report import CheckResult, Counterexample, PartResult, Report

ROWS = 6  # of a matrix, before it is cut
COLUMNS = 8


@dataclass(frozen=True)
class Words:
    """The sentences of one report in one language."""

    report: Report
    lang: str

    def say(self, message: str, /, **facts) -> str:
        """Return a sentence of the general catalogue or of the lab's."""
        return texts.say(self.lang, message, facts, self.report.lab.name)

    def title(self, result: CheckResult) -> str:
        """Return what a check states."""
        return self.say(f"title.{result.check.id}")

    def outcome(self, outcome: str) -> str:
        """Return an outcome in a word or two."""
        return self.say(f"outcome.{outcome}")

    def message(self, result: CheckResult) -> str:
        """Return the sentence why a check failed; empty when it passed."""
        fault = result.fault
        if fault is None:
            return ""
        function = self.report.lab.part(result.check.part).function
        facts = fault.facts
        if "because" in facts:
            facts = facts | {"because": self.say(facts["because"], **facts)}
        if fault.message == "fault.unreadable":
            return str(facts["why"])
        text = self.say(fault.message, **({"function": function} | facts))
        if result.carried:
            text = f"{text} {self.say('report.carried', score=points(result.carried))}"
        if fault.outcome == "stale" and fault.kind != "overwritten":
            text = self.say("fault.again", message=text)
        return text

    def ideas(self, result: PartResult) -> list[tuple[str, str, str]]:
        """Return what is said of each misconception a part's code behaves like: what it does, why not, which way."""
        told = texts.misconceptions(self.lang, self.report.lab.name)
        ideas = [(told[id]["what"], told[id]["why"], told[id]["way"]) for id in result.misconceptions]
        if len(ideas) < 2:
            return ideas
        return [(f"{number}. {what}", why, way) for number, (what, why, way) in enumerate(ideas, 1)]

    def several(self, result: PartResult) -> list[str]:
        """Return the sentence that a part makes two mistakes at once, to be told first; nothing if it does not."""
        return [self.say("report.two_at_once", part=result.part.name)] if len(result.misconceptions) > 1 else []

    def diagnosis(self, result: PartResult) -> list[str]:
        """Return what is said of a part's misconceptions as plain sentences, one after the other."""
        return [*self.several(result), *(sentence for idea in self.ideas(result) for sentence in idea)]

    def consequence(self, result: PartResult) -> str:
        """Return one line about a part that fails because of others; empty if its fault is its own."""
        failed = {
            r.part.function for r in self.report.parts if r.status != "passed" and r.part.name in result.part.uses
        }
        if len(failed) > 1:
            failed.discard(result.part.function)
        if not failed:
            return ""
        message = "report.right_given" if result.right_given_right_helpers else "report.uses"
        return self.say(message, part=result.part.name, helpers=", ".join(f"`{name}`" for name in sorted(failed)))

    def problems(self) -> list[str]:
        """Return a sentence for each statement that failed while the source was loaded."""
        told = []
        for problem in self.report.problems:
            if problem.kind == "unreadable":
                continue
            kind = problem.kind if problem.kind in ("timeout", "died") else "error"
            if (kind, problem.text) == ("died", "babble"):
                kind = "babbled"
            facts = {"type": problem.kind, "text": problem.text, "place": problem.place, "line": problem.line}
            told.append(self.say(f"problem.{kind}", **facts))
        return told

    def lines(self, example: Counterexample) -> list[str]:
        """Return a counterexample as plain lines: the call, what came, what was expected. At most a dozen or so."""
        part = self.report.lab.part(example.case.check.partition(".")[0])
        one, two = self.say("report.first_call"), self.say("report.second_call")
        lines = []
        for number, (name, value) in enumerate(zip(part.names(example.args), example.args, strict=True)):
            before = example.case.calls[0][number] if example.first is not None else value
            if before is value or np.array_equal(before, value):
                lines += matrix(f"{name} =", value)
            else:
                lines += [*matrix(f"{one}: {name} =", before), *matrix(f"{two}: {name} =", value)]
        number, where = example.fault.output or 0, example.fault.where
        output = part.outputs[number].name
        if where is None or example.got is None or example.got[number] is None:
            return lines
        if example.first is not None and example.first[number] is not None:
            lines += matrix(f"{one}: {output} =", example.first[number], where)
            return lines + matrix(f"{two}: {output} =", example.got[number], where)
        got = example.got[number]
        lines += matrix(f"{self.say('report.got')}: {output} =", got, _within(where, got))
        return lines + matrix(f"{self.say('report.expected')}: {output} =", example.expected[number], where)


def _within(where, value):
    """Return where an entry of the expected shape stands in a value that broadcasts to that shape."""
    shape = value.shape if isinstance(value, np.ndarray) else ()
    return tuple(i if n > 1 else 0 for i, n in zip(where[len(where) - len(shape) :], shape, strict=False))


def matrix(label: str, value, where: tuple | None = None) -> list[str]:
    """Return an array as aligned lines behind a label; the entry at `where` is marked with angle brackets.

    Of an array with leading axes the matrix that holds `where` is shown (the first one, if there is none).
    """
    if isinstance(value, list | tuple) and any(isinstance(item, np.ndarray) for item in value):
        name = label.removesuffix(" =")
        return [line for number, item in enumerate(value) for line in matrix(f"{name}[{number}] =", item)]
    if not isinstance(value, np.ndarray):
        return [f"{label} {value!r}"]
    if value.ndim == 0:
        return [f"{label} {number(value)}"]
    if value.size == 0:
        return [f"{label} [] ({value.shape})"]
    if where is not None and len(where) >= value.ndim:  # an answer that broadcasts may be smaller than where it counts
        where = tuple(i if n > 1 else 0 for i, n in zip(where[len(where) - value.ndim :], value.shape, strict=True))
    lead = value.shape[:-2]
    at = where[: len(lead)] if where is not None and len(where) == value.ndim else (0,) * len(lead)
    block = value[tuple(at)] if lead else value
    if lead:
        label = label.replace(" =", f"[{', '.join(map(str, at))}] =")
    mark = where[len(lead) :] if where is not None and len(where) == value.ndim else None
    rows = np.atleast_2d(block)
    if mark is not None:
        mark = mark if block.ndim == 2 else (0, *mark)
    top, left = (_start(m, n, k) for m, n, k in zip(mark or (0, 0), rows.shape, (ROWS, COLUMNS), strict=True))
    cells = []
    for i in range(top, min(top + ROWS, rows.shape[0])):
        row = []
        for j in range(left, min(left + COLUMNS, rows.shape[1])):
            text = number(rows[i, j])
            row.append(f"<{text}>" if mark == (i, j) else f" {text} ")
        cells.append(row)
    width = max(len(text) for row in cells for text in row)
    right = " …" if left + COLUMNS < rows.shape[1] else ""
    out = []
    for i, row in enumerate(cells):
        head = label if i == 0 else " " * len(label)
        out.append(f"{head} [{'… ' if left else ''}{''.join(text.rjust(width) for text in row)}{right}]")
    if top + ROWS < rows.shape[0]:
        out.append(f"{' ' * len(label)} … ({rows.shape[0]})")
    return out


def _start(mark, size, shown):
    return max(0, min(mark - shown + 1, size - shown)) if mark >= shown else 0


def number(value) -> str:
    """Return a number in at most seven characters where that is honest."""
    if value.dtype == bool:
        return "True" if value else "False"
    value = value.item()
    if isinstance(value, int):
        return str(value)
    if value != value or abs(value) == float("inf"):
        return texts.show(value)
    if value == round(value) and abs(value) < 1e6:
        return f"{value:.0f}"
    return f"{value:.4f}".rstrip("0").rstrip(".") if 1e-3 <= abs(value) < 1e5 else f"{value:.3g}"


def points(value: float) -> str:
    """Return points without needless zeros."""
    return f"{value:g}"


def headline(words: Words, result: PartResult) -> str:
    """Return ``softmax: 1.5 of 2 points`` for one part."""
    told = words.say("report.points", score=points(result.score), max_score=points(result.max_score))
    return f"{result.part.name}: {told}"


def plain(words: Words, result: PartResult) -> str:
    """Return one part's result as plain text: what failed, why, and the smallest example of the first failure."""
    lines, shown = [headline(words, result)], bool(result.right_given_right_helpers)
    lines += (f"  {sentence}" for sentence in words.diagnosis(result))
    if result.right_given_right_helpers:
        lines.append(f"  {words.consequence(result)}")
    for check in result.checks:
        if check.outcome != "passed":
            lines.append(f"  - {words.title(check)}: {words.message(check)}")
            if not shown and check.counterexample is not None:
                lines += (f"      {line}" for line in words.lines(check.counterexample))
                shown = True
            if same_for_all(result):
                break
    return "\n".join(lines)


def same_for_all(result: PartResult) -> bool:
    """Say whether every check of a part failed for one and the same reason, to be told once."""
    faults = {(c.fault.message, str(c.fault.facts)) if c.fault else None for c in result.checks}
    return len(result.checks) > 1 and len(faults) == 1 and None not in faults
