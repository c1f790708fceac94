"""The command `attnlab`: parses, calls one function below, sets the exit code.

Exit codes are pytest's: 0 all right, 1 student work failed, 2 interrupted, 3 the grader itself broke, 4 usage or
unreadable path, 5 nothing was checked.
"""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from . import labs, texts

USAGE_ERROR = typer.BadParameter.__base__  # click's, whether typer depends on click or carries its own copy

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)


class Format(StrEnum):
    """How `check` answers."""

    text = "text"
    json = "json"


class Lang(StrEnum):
    """Languages there are texts in."""

    en = "en"
    ru = "ru"


LangOption = Annotated[Lang | None, typer.Option("--lang", help="Language of the messages. Default: your locale.")]


@app.callback()
def attnlab():
    """Attention, taught through autograded NumPy exercises."""


@app.command()
def check(
    path: Annotated[Path, typer.Argument(help="A .py file, a notebook, or a folder with one.")] = Path("."),
    lab: Annotated[str | None, typer.Option("--lab", help="Which lab. Default: the file's name.")] = None,
    format: Annotated[Format, typer.Option("--format", help="text for people, json for programs.")] = Format.text,
    lang: LangOption = None,
):
    """Check your functions: which are right, and what is wrong with the others."""
    from .judge import check_path
    from .submission import UsageError

    language = _language(lang)
    name = lab or _lab_of(path, language)
    if name not in labs.LABS:
        _stop(texts.say(language, "read.unknown_lab", {"lab": name, "labs": ", ".join(labs.LABS)}))
    try:
        report = check_path(path, labs.get(name), language)
    except UsageError as error:
        _stop(texts.say(language, error.message, error.facts))
    if format is Format.json:
        from .emit.as_json import dumps

        print(dumps(report, language))
    else:
        from rich.console import Console

        from .emit import terminal

        terminal.show(report, language, Console(highlight=False))
    raise typer.Exit(0 if report.passed else 1)


@app.command()
def build(
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; fail if a generated file is out of step.")
    ] = False,
    root: Annotated[Path, typer.Option("--root", help="The checkout.")] = Path("."),
):
    """Generate exercises, solutions, notebooks and the nbgrader sources from the labs (for maintainers)."""
    from .authoring import BuildError
    from .authoring import build as run

    try:
        paths = run(root, check)
    except BuildError as error:
        _stop(str(error))
    except ModuleNotFoundError as error:
        _stop(f"`attnlab build` needs {error.name}: pip install 'attnlab[author]'.")
    for path in paths:
        print(f"{'out of step' if check else 'written'}: {path}")
    if check and paths:
        print("Run `attnlab build` and commit what it writes.", file=sys.stderr)
        raise typer.Exit(1)


def _language(lang):
    return lang.value if lang is not None else texts.default_language()


def _lab_of(path, language):
    """Guess the lab from a file's name; with one lab only there is nothing to guess."""
    for name in labs.LABS:
        if name in path.stem.lower():
            return name
    if len(labs.LABS) == 1:
        return labs.LABS[0]
    _stop(texts.say(language, "read.which_lab", {"path": path, "labs": ", ".join(labs.LABS)}))


def _stop(sentence, code=4):
    print(sentence, file=sys.stderr)
    raise typer.Exit(code)


def main():
    """Run the command; every ending is an exit code and, if it is not a good one, a sentence."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        sys.exit(app(prog_name="attnlab", standalone_mode=False) or 0)
    except USAGE_ERROR as error:
        print(f"{error.format_message()} See `attnlab --help`.", file=sys.stderr)
        sys.exit(4)
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(1)
    except Exception as error:
        print(f"attnlab itself failed ({type(error).__name__}: {error}). Your work is untouched.", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
