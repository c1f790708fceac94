"""A Report in the terminal: 80 columns, readable without colour, in light and dark."""

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from ..checking.report import PartResult, Report
from ..labs.model import Lab
from .words import Words, points, same_for_all

SIGNS = {"passed": ("✓", "+"), "todo": ("○", "o"), "missing": ("○", "o")}
WRONG = ("✗", "x")
NAMES = 24  # columns for the names of parts, at least
STYLES = {"passed": "green", "todo": "yellow", "missing": "yellow"}


def show(report: Report, lang: str, console: Console) -> None:
    """Print a report: the parts at a glance, then what to look at first."""
    words = Words(report, lang)
    if report.problems and any(p.kind == "unreadable" for p in report.problems):
        console.print(Text(report.problems[0].text, "red"))
        return
    for result in report.parts:
        console.print(_row(words, result, console))
    _problems(words, console)
    root = report.root_cause
    order = sorted(report.parts, key=lambda r: r.part.name != root)
    for result in order:
        if result.status not in ("passed", "todo", "missing") and not _follows(report, result):
            _details(words, result, console)
    missing = dict.fromkeys(words.message(r.checks[0]) for r in order if r.status == "missing")
    if missing:
        console.print()
    for sentence in missing:
        console.print(Text(sentence))
    _total(words, console)


def sign(status: str, console: Console) -> str:
    """Return the sign for an outcome, a plainer one where the terminal's encoding lacks it."""
    nice, plain = SIGNS.get(status, WRONG)
    try:
        nice.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return plain
    return nice


def column(name: str, lab: Lab) -> str:
    """Return a part's name, filled up so that what follows stands in one column for the whole lab."""
    return name.ljust(max(NAMES, *(len(part.name) + 1 for part in lab.parts)))


def _row(words, result: PartResult, console) -> Text:
    style = STYLES.get(result.status, "red")
    row = Text()
    row.append(f" {sign(result.status, console)} ", style)
    row.append(column(result.part.name, words.report.lab), "bold")
    row.append(f"{points(result.score):>5} / {points(result.max_score):<5}")
    row.append(words.outcome(result.status), style)
    if result.part.bonus:
        row.append(f"  ({words.say('report.bonus')})", "dim")
    return row


def _problems(words, console):
    told = words.problems()
    if told:
        console.print()
        console.print(Text(words.say("problem.skipped"), "yellow"))
        for line in told:
            console.print(Padding(Text(line), (0, 0, 0, 2), expand=False))


def _follows(report: Report, result: PartResult) -> bool:
    """Say whether a part fails only because of others, or may do so: then the earlier ones are the thing to look at."""
    failed = {r.part.name for r in report.parts if r.status != "passed"}
    return bool(failed & set(result.part.uses)) and result.right_given_right_helpers is not False


def _details(words, result: PartResult, console):
    console.print()
    console.rule(Text(result.part.name, "bold"), align="left", style="dim")
    shown = False
    for sentence in words.several(result):
        console.print(Padding(Text(sentence), (0, 0, 0, 3), expand=False))
    for what, why, way in words.ideas(result):
        for sentence, style in ((what, "bold"), (why, ""), (way, "")):
            console.print(Padding(Text(sentence, style), (0, 0, 0, 3), expand=False))
    for check in result.checks:
        if check.outcome == "passed":
            continue
        console.print(Text.assemble((f" {sign(check.outcome, console)} ", "red"), words.title(check)))
        console.print(Padding(Text(words.message(check)), (0, 0, 0, 3), expand=False))
        if not shown and check.counterexample is not None:
            for line in words.lines(check.counterexample):
                console.print(Text(f"     {line}", "dim"), soft_wrap=True)
            shown = True
        if same_for_all(result):
            break


def _total(words, console):
    report = words.report
    console.print()
    told = words.say("report.points", score=points(report.score), max_score=points(report.max_score))
    bonus = [r for r in report.parts if r.part.bonus]
    if bonus:
        extra = words.say(
            "report.bonus_points",
            score=points(sum(r.score for r in bonus)),
            max_score=points(sum(r.max_score for r in bonus)),
        )
        told = f"{told}, {extra}"
    console.print(Text(told, "bold"))
    root = report.root_cause
    if root is None:
        console.print(Text(words.say("report.all_right"), "green"))
    else:
        console.print(Text(words.say("report.start_here", part=root)))
        for result in report.parts:
            if result.status not in ("passed", "todo", "missing") and (line := words.consequence(result)):
                console.print(Text(line))
