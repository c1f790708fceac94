"""One call of `attnlab grade`: what it says before, meanwhile and afterwards."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from .. import texts
from ..sandbox import tiers
from ..sandbox.limits import Limits
from ..submission import UsageError
from . import grader
from .course import Course, open_course
from .gradebook import GradebookError, Writer
from .grader import Summary
from .handed_out import SourceNotebook
from .marking import Rules
from .pool import LocalPool
from .registration import register
from .worker import PACKAGES, Setup

SHOWN = 12  # students in a list


@dataclass(frozen=True)
class Options:
    """What was asked for on the command line."""

    course: Path
    assignment: str | None
    jobs: int
    students: tuple[str, ...] = ()
    force: bool = False
    dry_run: bool = False
    db: str | None = None
    tier: str = "auto"
    scheduler: str | None = None


def handed_in(course: Course) -> str:
    """Return the one assignment of a course that somebody has handed in, or the one it has.

    Raises
    ------
    UsageError
        If there are several.
    """
    there = course.assignments()
    named = [name for name in there if course.students(name)] or there
    if len(named) != 1:
        raise UsageError("grade.which_assignment", names=", ".join(named) or "–")
    return named[0]


def grade(options: Options, lang: str, console: Console | None) -> Summary:
    """Grade a class.

    Parameters
    ----------
    options : Options
    lang : {"en", "ru"}
    console : Console or None
        Where to tell of it; nowhere, if None.

    Raises
    ------
    UsageError
        If there is no such course, assignment or student, or student code cannot be confined as asked.
    GradebookError
        If the gradebook cannot be used; what was recorded before stays.
    """

    def tell(message, style="", **facts):
        if console is not None:
            console.print(Text(texts.say(lang, message, facts), style))

    course = open_course(options.course, options.db)
    options = replace(options, assignment=options.assignment or handed_in(course))
    folder = course.folder("source", ".", options.assignment)
    sources = SourceNotebook.load_all(folder, course.config)
    if not sources:
        raise UsageError("grade.no_source", assignment=options.assignment, folder=folder)
    try:
        tier = tiers.choose(options.tier)
    except tiers.TierUnavailable as error:
        raise UsageError(error.message, **error.facts) from None
    tell(tier.announcement, "" if tier.safe else "bold yellow")
    rules = Rules(course.secret, course.share, lang)
    setup = Setup(options.assignment, sources, rules, tier.name, Limits(), PACKAGES)
    if options.dry_run:
        plan = grader.plan(course, setup, None, options.students, options.force)
        tell("grade.plan", jobs=len(plan.jobs), unchanged=len(plan.unchanged))
        for job in plan.jobs:
            tell("grade.would", student=job.student)
        return Summary(unchanged=len(plan.unchanged))
    with grader.only_one(course, options.assignment):
        writer = _writer(course, options.assignment, tell)
        try:
            plan = grader.plan(course, setup, writer.recorded(), options.students, options.force)
            tell("grade.plan", jobs=len(plan.jobs), unchanged=len(plan.unchanged))
            summary = _run(course, options, setup, plan.jobs, writer, lang, console)
        finally:
            writer.close()
    summary.unchanged = len(plan.unchanged)
    _show(summary, course, lang, tell)
    return summary


def _writer(course: Course, assignment: str, tell) -> Writer:
    """Open the gradebook; enter the assignment into it, if nobody has yet."""
    try:
        return Writer(course.db_url, course.course_id, assignment, course.late_penalty())
    except GradebookError as error:
        if error.message != "grade.not_in_gradebook":
            raise
    register(course, assignment)
    tell("grade.registered", assignment=assignment)
    return Writer(course.db_url, course.course_id, assignment, course.late_penalty())


def _run(course, options, setup, jobs, writer, lang, console):
    if not jobs:
        return Summary()
    pool = _pool(options, setup, len(jobs))
    columns = (
        TextColumn(options.assignment), BarColumn(), MofNCompleteColumn(),
        TextColumn(texts.say(lang, "grade.rate").replace("RATE", "{task.fields[rate]:.1f}")), TimeRemainingColumn(),
    )  # fmt: skip
    shown = console if console is not None and console.is_terminal else Console(quiet=True)
    try:
        with Progress(*columns, console=shown, transient=True) as progress:
            task = progress.add_task("", total=len(jobs), rate=0.0)

            def advance(student):
                progress.advance(task)
                progress.update(task, rate=progress.tasks[0].finished_speed or progress.tasks[0].speed or 0.0)

            return grader.run(course, options.assignment, jobs, pool, writer, advance)
    finally:
        pool.close()


def _pool(options, setup, count):
    if options.scheduler:
        from .cluster import ClusterPool

        return ClusterPool(setup, options.scheduler)
    return LocalPool(setup, max(1, min(options.jobs, count)))


def _show(summary: Summary, course: Course, lang: str, tell) -> None:
    rate = summary.graded / summary.seconds if summary.seconds else 0.0
    tell("grade.done", "bold", count=summary.graded, seconds=round(summary.seconds, 1), rate=round(rate, 1))
    tell("grade.full", count=summary.full)
    if summary.repaired:
        tell("grade.repaired", count=len(summary.repaired), names=_listed(summary.repaired))
    if summary.manual:
        tell("grade.manual", count=summary.manual)
    if summary.retried:
        tell("grade.retried", count=summary.retried)
    if summary.unreadable:
        tell("grade.unreadable", "bold", count=len(summary.unreadable))
        for student, note in list(summary.unreadable.items())[:SHOWN]:
            tell("grade.one", student=student, why=texts.say(lang, note["message"], note["facts"]))
    if summary.broken:
        tell("grade.broken", "bold red", count=len(summary.broken))
        for student, why in summary.broken.items():
            tell("grade.one", student=student, why=why)
    tell("grade.next", course=course.root)


def _listed(names):
    more = len(names) - SHOWN
    return ", ".join(names[:SHOWN]) + (f", … (+{more})" if more > 0 else "")


def document(summary: Summary) -> dict:
    """Return a summary as plain data."""
    return {"version": 1} | asdict(summary)
