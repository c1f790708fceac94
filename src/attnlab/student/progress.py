"""`attnlab status`: what is done, what is next."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .. import judge, labs, texts
from ..checking.report import PartResult, Report
from ..emit.terminal import STYLES, column, sign
from ..emit.words import points
from ..labs.model import Lab
from . import workspace
from .advice import command

BAR = 40


@dataclass(frozen=True)
class Status:
    """Where a student stands in one lab: the report, hints read, and the parts that are right since the last time."""

    path: Path
    report: Report
    hints: dict[str, int]
    gained: tuple[str, ...]


def status(path: Path, lab: Lab, lang: str) -> Status:
    """Check the student's file again, without shrinking, and remember what came out.

    Raises
    ------
    UsageError
        If there is no such path or nothing to check in it.
    """
    file = workspace.find(path, lab)
    report = judge.check_path(file, lab, lang, shrink=False)
    memory = workspace.recall(file.parent, lab.name)
    now = {result.part.name: result.status for result in report.parts}
    gained = [p for p, s in now.items() if s == "passed" and memory.results.get(p, "passed") != "passed"]
    workspace.remember(file.parent, lab.name, replace(memory, results=now))
    return Status(file, report, memory.hints, tuple(gained))


def show(found: Status, lang: str, console: Console) -> None:
    """Print one line a part, how far it is, and which command comes next."""
    report = found.report

    def say(message, **facts):
        return texts.say(lang, message, facts)

    console.print(Text.assemble((report.lab.name, "bold"), f"  {found.path}"), soft_wrap=True)
    for result in report.parts:
        console.print(row(result, found.report.lab, lang, console, found.hints.get(result.part.name, 0)))
    console.print()
    console.print(bar(report, lang, console))
    if found.gained:
        console.print(Text(say("status.gained", parts=", ".join(found.gained)), "green"))
    following = report.root_cause
    if following is None:
        quiz = command("attnlab", "quiz", *_naming(report.lab), lang=lang)
        bonus = any(result.part.bonus for result in report.parts)
        console.print(Text(say("status.all_done" if bonus else "status.done", lab=report.lab.name)))
        console.print(Text(f"  {quiz}"), soft_wrap=True)
        return
    result = report.part(following)
    todo = result.status in ("todo", "missing")
    if report.passed:
        console.print(Text(say("status.bonus_left", part=following)))
    elif todo:
        console.print(Text(say("status.next_write", part=following, path=found.path.name)))
    else:
        console.print(Text(say("status.next_mend", part=following)))
    named = _naming(report.lab) if labs.home(following) != report.lab.name else ()
    words = ("hint", following, *named) if todo else ("check", found.path)
    console.print(Text(f"  {command('attnlab', *words, lang=lang)}"), soft_wrap=True)


def show_others(folder: Path, names: Sequence[str], complete: bool, lang: str, console: Console) -> None:
    """Print the labs nobody has begun and, where those that were begun are complete, which one comes next."""
    here = [name for name in names if workspace.files(folder, name)]
    missing = [name for name in names if name not in here]
    if names:
        console.print()
    for message, found in (("status.not_begun", here), ("status.not_here", missing)):
        if found:
            told = ", ".join(f"{name} ({points(_worth(labs.get(name)))})" for name in found)
            console.print(Text(texts.say(lang, message, {"labs": told})))
    if missing:
        console.print(Text(f"  {command('attnlab', 'start', folder, lang=lang)}"), soft_wrap=True)
    if here and complete:
        files = ", ".join(file.name for file in workspace.files(folder, here[0]))
        console.print(Text(texts.say(lang, "status.next_lab", {"lab": here[0], "files": files})))


def _worth(lab):
    return sum(lab.points(part.name) for part in lab.parts if not part.bonus)


def _naming(lab):
    return () if lab.name == labs.LABS[0] else ("--lab", lab.name)


def bar(report: Report, lang: str, console: Console) -> Text:
    """Return the way to the end of the lab as a line: ``[########----] 5 of 10 points``."""
    share = report.score / report.max_score if report.max_score else 1.0
    full = int(BAR * share)
    told = texts.say(lang, "report.points", {"score": points(report.score), "max_score": points(report.max_score)})
    return Text.assemble("[", ("#" * full, "green"), "-" * (BAR - full), "] ", (told, "bold"))


def row(result: PartResult, lab: Lab, lang: str, console: Console, hints: int = 0) -> Text:
    """Return one part as a line: its sign, name, points, outcome, and how many hints were read."""
    style = STYLES.get(result.status, "red")
    line = Text.assemble((f" {sign(result.status, console)} ", style), (column(result.part.name, lab), "bold"))
    line.append(f"{points(result.score):>5} / {points(result.max_score):<5}")
    line.append(texts.say(lang, f"outcome.{result.status}"), style)
    if result.part.bonus:
        line.append(f"  ({texts.say(lang, 'report.bonus')})", "dim")
    if hints:
        line.append(f"  {texts.say(lang, 'status.hints', {'count': hints})}", "dim")
    return line
