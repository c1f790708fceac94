"""The commands and options by which results leave: `check --format`, `report`, `gradescope`, `classroom`."""

import os
import sys
from contextlib import contextmanager
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from . import labs, texts
from .command_line import LangOption, console, language, stop
from .files import write_whole
from .submission import UsageError

app = typer.Typer()


class Format(StrEnum):
    """How `check` answers."""

    text = "text"
    json = "json"
    junit = "junit"
    gradescope = "gradescope"
    classroom = "classroom"
    summary = "summary"


FormatOption = Annotated[
    Format,
    typer.Option(
        "--format",
        help="text for people, json for programs, junit (XML), gradescope (results.json), classroom (GitHub "
        "Classroom's result), summary (Markdown, for GitHub's step summary).",
    ),
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file instead of the terminal.")
]


def show(report, format: Format, output: Path | None, lang: str, seconds: float) -> None:
    """Print a report, or write it to a file, in one of the formats."""
    if format is Format.text and output is None:
        from .emit import terminal

        terminal.show(report, lang, console())
        return
    text = rendered(report, format, lang, seconds)
    if output is None:
        print(text, end="")
    else:
        write(output, text.encode(), lang)


def rendered(report, format: Format, lang: str, seconds: float) -> str:
    """Return a report as text in one of the formats."""
    if format is Format.text:
        from .emit import terminal

        plain = plain_console()
        terminal.show(report, lang, plain)
        return plain.file.getvalue()
    if format is Format.json:
        from .emit.as_json import dumps

        return dumps(report, lang) + "\n"
    return import_module(f".emit.{format.value}", __package__).dumps(report, lang, seconds)


def plain_console():
    """Return a console that keeps what is printed, 80 columns wide and without colour."""
    import io

    from rich.console import Console

    return Console(file=io.StringIO(), width=80, highlight=False, color_system=None, legacy_windows=False)


def write(path: Path, data: bytes, lang: str, mode: int = 0o644) -> None:
    """Write a file whole or not at all; end with a sentence if that is impossible."""
    try:
        write_whole(path, data, mode)
    except OSError as error:
        stop(texts.say(lang, "export.denied", {"path": path, "why": error.strerror or type(error).__name__}))


@app.command()
def gradescope(
    out: Annotated[Path, typer.Argument(metavar="OUT.zip", help="The archive to write.")],
    lab: Annotated[str | None, typer.Option("--lab", help="Which lab it grades.")] = None,
    course: Annotated[
        Path | None, typer.Option("--course", metavar="DIR", help="Take the hidden cases of this nbgrader course.")
    ] = None,
    secret: Annotated[
        str | None,
        typer.Option("--secret", envvar="ATTNLAB_SECRET", help="Draw the hidden cases from this text instead."),
    ] = None,
    lang: LangOption = None,
):
    """Make an autograder for Gradescope (for instructors)."""
    from .grading.gradescope import autograder
    from .grading.marks import carried_share

    lang = language(lang)
    found = _lab(lab, lang)
    if out.suffix.lower() != ".zip":
        stop(texts.say(lang, "export.not_zip", {"path": out}))
    if course is not None and secret is not None:
        stop(texts.say(lang, "export.two_secrets"))
    if secret is not None and not secret.strip():
        stop(texts.say(lang, "export.empty_secret"))
    drawn, told = _secret(course, secret, lang)
    with _installed(lang):
        data = autograder(found, drawn, lang, carried_share())
    write(out, data, lang, mode=0o600)
    out_of = sum(found.points(part.name) for part in found.parts if not part.bonus)
    for line in (
        texts.say(lang, "export.written", {"path": out}),
        told,
        texts.say(lang, "export.gradescope", {"points": f"{out_of:g}"}),
    ):
        console().print(line, markup=False)


@app.command()
def classroom(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The template repository of the assignment.")],
    lab: Annotated[str | None, typer.Option("--lab", help="Which lab it checks.")] = None,
    lang: LangOption = None,
):
    """Let GitHub (Classroom) check each push to students' repositories (for instructors)."""
    from .grading.github import NOTE, template

    lang = language(lang)
    found = _lab(lab, lang)
    with _installed(lang):
        files = template(found, lang)
    kept = [name for name in files if os.path.lexists(folder / name)]
    written = [name for name in files if name not in kept]
    if not written:
        stop(texts.say(lang, "export.nothing_new", {"folder": folder, "names": ", ".join(kept)}))
    for name in written:
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            why = error.strerror or type(error).__name__
            stop(texts.say(lang, "start.denied", {"folder": path.parent, "why": why}))
        write(path, files[name], lang)
    console().print(texts.say(lang, "start.written", {"folder": folder, "names": ", ".join(written)}), markup=False)
    if kept:
        console().print(texts.say(lang, "start.kept", {"names": ", ".join(kept)}), markup=False)
    console().print(texts.say(lang, "export.classroom", {"note": folder / NOTE}), markup=False)


class ReportFormat(StrEnum):
    """How `report` answers."""

    text = "text"
    html = "html"
    csv = "csv"
    json = "json"


@app.command()
def report(
    course: Annotated[Path, typer.Argument(metavar="COURSE", help="The folder of an nbgrader course.")] = Path("."),
    assignment: Annotated[
        str | None, typer.Option("--assignment", "-a", help="Only this assignment. Default: all that were graded.")
    ] = None,
    format: Annotated[
        ReportFormat,
        typer.Option("--format", help="text, html (one file with pictures), csv (as nbgrader export), json."),
    ] = ReportFormat.text,
    output: OutputOption = None,
    anonymous: Annotated[
        bool, typer.Option("--anonymous", help="Pseudonyms for students, and nothing that they wrote.")
    ] = False,
    db: Annotated[str | None, typer.Option("--db", metavar="URL", help="Another gradebook (csv).")] = None,
    lang: LangOption = None,
):
    """Show how a graded class did: marks, misconceptions, how hard each check was, what to look at."""
    lang = language(lang)
    from .grading.report import commands

    try:
        found = commands.load(course, assignment, anonymous)
    except UsageError as error:
        stop(texts.say(lang, error.message, error.facts), 5 if error.message == "overview.nothing_graded" else 4)
    if format is ReportFormat.text:
        from .grading.report import terminal

        screen = console() if output is None else plain_console()
        for number, entry in enumerate(found.overviews):
            if number:
                screen.print()
            terminal.show(entry, lang, screen)
        if output is not None:
            write(output, screen.file.getvalue().encode(), lang)
        return
    if format is ReportFormat.csv:
        text, said = commands.table(found, db, lang)
        for sentence in said:
            print(sentence, file=sys.stderr)
    elif format is ReportFormat.json:
        from .grading.report.as_json import dumps

        text = dumps(found.overviews, lang)
    else:
        from .grading.report.html import page

        text = page(found.overviews, lang)
    if output is None:
        print(text, end="")
    else:
        write(output, text.encode(), lang)


def _lab(name, lang):
    if name is None:
        stop(texts.say(lang, "export.which_lab", {"labs": ", ".join(labs.LABS)}))
    if name not in labs.LABS:
        stop(texts.say(lang, "read.unknown_lab", {"lab": name, "labs": ", ".join(labs.LABS)}))
    return labs.get(name)


@contextmanager
def _installed(lang):
    """End with a sentence where attnlab runs from its sources without being installed."""
    from importlib.metadata import PackageNotFoundError

    try:
        yield
    except PackageNotFoundError:
        stop(texts.say(lang, "export.not_installed"))


def _secret(course, secret, lang):
    """Return the secret of the hidden cases, and a sentence that says which it is."""
    from secrets import token_hex

    from .grading.secret import course_secret

    if secret is not None:
        return secret.strip(), texts.say(lang, "export.secret_given")
    if course is None and Path("nbgrader_config.py").is_file():
        course = Path(".")
    if course is None:
        return token_hex(16), texts.say(lang, "export.secret_new")
    if not course.is_dir():
        stop(texts.say(lang, "export.no_course", {"path": course}))
    path = course / ".secret"
    try:
        return course_secret(path), texts.say(lang, "export.secret_course", {"path": path})
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or type(error).__name__
        stop(texts.say(lang, "read.denied", {"path": path, "why": why}))
