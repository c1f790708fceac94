"""The commands and options by which results leave: `check --format`, `report`, `gradescope`, `classroom`."""

import os
import tempfile
from contextlib import suppress
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import Annotated

import typer

from . import texts
from .command_line import console, stop

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
    path = path.resolve()  # a link stays a link
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(name, mode)
            os.replace(name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(name)
            raise
    except OSError as error:
        stop(texts.say(lang, "export.denied", {"path": path, "why": error.strerror or type(error).__name__}))
