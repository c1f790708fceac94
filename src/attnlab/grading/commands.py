"""The commands for instructors: `course`, `grade`, `kernel install`."""

import json
import os
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from .. import texts
from ..command_line import LangOption, console, language, sentences, stop
from .imports import quick
from .processes import prepare

app = typer.Typer()
kernels = typer.Typer(help="A Jupyter kernel that runs confined.", no_args_is_help=True)
app.add_typer(kernels, name="kernel")


class Format(StrEnum):
    """How `grade` answers."""

    text = "text"
    json = "json"


class Tier(StrEnum):
    """How student code is confined."""

    auto = "auto"
    bubblewrap = "bubblewrap"
    landlock = "landlock"
    spawn = "spawn"


CourseArgument = Annotated[Path, typer.Argument(metavar="COURSE", help="The folder of an nbgrader course.")]
AssignmentOption = Annotated[
    str | None, typer.Option("--assignment", "-a", help="The assignment. Default: the only one that was handed in.")
]


@app.command()
def course(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    lang: LangOption = None,
):
    """Make an nbgrader course of all labs, ready to release: configuration, sources, gradebook."""
    lang = language(lang)
    with _for_instructors(lang), sentences(lang):
        quick()
        from .new_course import make

        made = make(folder, lang)
    for line in made:
        print(line)


@app.command()
def grade(
    course: CourseArgument = Path("."),
    assignment: AssignmentOption = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 for one a core.")] = 0,
    student: Annotated[list[str] | None, typer.Option("--student", help="Only these; * stands for anything.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Also those whose work has not changed.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be graded.")] = False,
    db: Annotated[str | None, typer.Option("--db", metavar="URL", help="Another gradebook.")] = None,
    tier: Annotated[Tier, typer.Option("--tier", help="How student code is confined.")] = Tier.auto,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Grade on a dask.distributed cluster.")
    ] = None,
    format: Annotated[Format, typer.Option("--format", help="text for people, json for programs.")] = Format.text,
    lang: LangOption = None,
):
    """Grade a class into nbgrader's gradebook. Run it again after an interruption: it goes on where it stopped."""
    lang = language(lang)
    with _for_instructors(lang), sentences(lang):
        prepare()
        quick()
        from . import session
        from .gradebook import GradebookError

        screen = console() if format is Format.text else None
        options = session.Options(
            course, assignment, jobs or os.cpu_count() or 1, tuple(student or ()), force, dry_run, db, tier.value,
            scheduler,
        )  # fmt: skip
        try:
            summary = session.grade(options, lang, screen)
        except KeyboardInterrupt:
            stop(texts.say(lang, "grade.interrupted"), 2)
        except GradebookError as error:
            stop(texts.say(lang, error.message, error.facts), 3)
        except OSError as error:
            facts = {"path": error.filename or course, "why": error.strerror or type(error).__name__}
            stop(texts.say(lang, "grade.cannot_write", facts), 3)
    if format is Format.json:
        print(json.dumps(session.document(summary), ensure_ascii=True, indent=1))
    raise typer.Exit(3 if summary.broken else 0 if summary.graded or summary.unchanged else 5)


@kernels.command("install")
def install_kernel(
    prefix: Annotated[str | None, typer.Option("--prefix", help="Where, instead of for this user.")] = None,
    lang: LangOption = None,
):
    """Register a Jupyter kernel that starts inside the sandbox, for nbgrader's own Execute."""
    lang = language(lang)
    with _for_instructors(lang), sentences(lang):
        from ..sandbox import tiers
        from . import kernel

        try:
            tier = tiers.choose("auto")
            folder = kernel.install(prefix)
        except tiers.TierUnavailable as error:
            stop(texts.say(lang, error.message, error.facts))
        except OSError as error:
            facts = {"path": error.filename or prefix or "", "why": error.strerror or type(error).__name__}
            stop(texts.say(lang, "read.denied", facts))
    print(texts.say(lang, "confined_kernel.installed", {"path": folder, "name": kernel.NAME}))
    print(texts.say(lang, tier.announcement))


@contextmanager
def _for_instructors(lang):
    """End with a sentence where the extra for instructors is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        stop(texts.say(lang, "grade.not_installed", {"module": error.name}))
