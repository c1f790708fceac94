"""The command `attnlab`: parses, calls one function below, sets the exit code.

Exit codes are pytest's: 0 all right, 1 student work failed, 2 interrupted, 3 the grader itself broke, 4 usage or
unreadable path, 5 nothing was checked.
"""

import re
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from . import labs, texts, ways_out
from .command_line import LangOption
from .command_line import console as _console
from .command_line import language as _language
from .command_line import sentences as _sentences
from .command_line import stop as _stop
from .grading import commands
from .submission import UsageError, find
from .web import commands as web

USAGE_ERROR = typer.BadParameter.__base__  # click's, whether typer depends on click or carries its own copy

app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False, rich_markup_mode=None)
app.add_typer(ways_out.app)
app.add_typer(commands.app)
app.add_typer(web.app, name="web")


PathArgument = Annotated[Path, typer.Argument(help="A .py file, a notebook, or a folder with one.")]
LabOption = Annotated[str | None, typer.Option("--lab", help="Which lab. Default: told from file or function.")]


@app.callback()
def attnlab():
    """Attention, taught through autograded NumPy exercises."""


@app.command()
def check(
    path: PathArgument = Path("."),
    lab: LabOption = None,
    format: ways_out.FormatOption = ways_out.Format.text,
    output: ways_out.OutputOption = None,
    watch: Annotated[bool, typer.Option("--watch", help="Check again whenever the file is saved.")] = False,
    lang: LangOption = None,
):
    """Check your functions: which are right, and what is wrong with the others."""
    from .judge import check_path
    from .student import workspace

    language = _language(lang)
    if watch and (output or format is not ways_out.Format.text):
        _stop(texts.say(language, "watch.only_text"))
    found = _lab(lab, path, language)
    with _sentences(language):
        path = workspace.find(path, found)
        if watch:
            from .student import watch as watching

            watching.watch(path, found, language, _console())
            return
        started = time.perf_counter()
        report = check_path(path, found, language)
        ways_out.show(report, format, output, language, time.perf_counter() - started)
    raise typer.Exit(0 if report.passed else 1)


@app.command()
def start(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder to make.")],
    lab: LabOption = None,
    lang: LangOption = None,
):
    """Make a working folder: the exercises of all labs, or of one, as scripts and as notebooks."""
    from .student import workspace

    language = _language(lang)
    course = [_lab(name, folder, language) for name in ((lab,) if lab else labs.LABS)]
    with _sentences(language):
        written, kept = workspace.start(folder, course, language)
    if not written:
        _stop(texts.say(language, "start.nothing_new", {"folder": folder, "names": ", ".join(kept)}))
    workspace.show(written, kept, folder, course[0], language, _console())


@app.command()
def hint(
    function: Annotated[str, typer.Argument(help="What you want a hint for, such as softmax.")],
    path: PathArgument = Path("."),
    lab: LabOption = None,
    lang: LangOption = None,
):
    """Show a hint: three levels, one more each time you ask."""
    from .student import hints
    from .student.advice import command

    language = _language(lang)
    found = _lab(lab, path, language, function)
    with _sentences(language):
        given = hints.hint(function, path, found, language)
    again = command(
        "attnlab", "hint", function, *(() if path == Path(".") else (path,)), *(("--lab", lab) if lab else ()),
        lang=language,
    )  # fmt: skip
    hints.show(given, again, language, _console())


@app.command()
def status(path: PathArgument = Path("."), lab: LabOption = None, lang: LangOption = None):
    """Show what is done and what comes next."""
    from .student import choice, progress

    language, console = _language(lang), _console()
    if lab or not path.is_dir():
        names, others = (_lab(lab, path, language).name,), ()
    else:
        here = choice.in_folder(path)
        if not here:
            facts = {"path": path, "labs": ", ".join(labs.LABS)}
            begin = texts.say(language, "status.nothing_here")
            _stop(f"{texts.say(language, 'read.no_lab_here', facts)} {begin}")
        names = [name for name in here if choice.is_begun(path, labs.get(name))] or here[:1]
        others = [name for name in labs.LABS if name not in names]
    complete = True
    for number, name in enumerate(names):
        with _sentences(language):
            found = progress.status(path, labs.get(name), language)
        if number:
            console.print()
        progress.show(found, language, console)
        complete = complete and found.report.passed
    progress.show_others(path, others, complete, language, console)


@app.command()
def reset(
    function: Annotated[str | None, typer.Argument(help="The function to put back.")] = None,
    path: PathArgument = Path("."),
    everything: Annotated[bool, typer.Option("--all", help="The whole file.")] = False,
    lab: LabOption = None,
    lang: LangOption = None,
):
    """Put a function back to how it was at the start. Your version is kept in a file beside it."""
    from .student import reset as resetting

    language = _language(lang)
    if everything and function is not None:  # then the one argument is the path
        if path != Path("."):
            _stop(texts.say(language, "reset.both"))
        function, path = None, Path(function)
    found = _lab(lab, path, language, function)
    if function is None and not everything:
        _stop(texts.say(language, "reset.which", {"names": ", ".join(found.functions)}))
    with _sentences(language):
        done = resetting.reset(function, path, found, language)
    message = "reset.done_all" if everything else "reset.added" if done.added else "reset.done"
    facts = {"path": done.path} if everything else {"path": done.path, "function": function}
    _print(_console(), texts.say(language, message, facts))
    _print(_console(), texts.say(language, "reset.backup", {"backup": done.backup}))


@app.command()
def quiz(lab: LabOption = None, lang: LangOption = None):
    """Answer the questions that close the lesson."""
    from .student import choice
    from .student import quiz as asking

    language, console = _language(lang), _console()
    found = _lab(lab or choice.of_folder(Path(".")) or labs.LABS[0], Path("."), language)
    if len(labs.LABS) > 1:
        _paragraph(console, texts.say(language, "quiz.lab", {"lab": found.name, "labs": ", ".join(labs.LABS)}) + "\n")
    questions = asking.questions(found, language)
    patient = sys.stdin.isatty()
    right, answered = asking.in_terminal(
        questions, language, lambda: input("> " if patient else ""), lambda line: _paragraph(console, line), patient
    )
    if answered < len(questions):
        _print(console, "\n" + texts.say(language, "quiz.ended", {"answered": answered, "count": len(questions)}))
    _print(console, asking.score_line(right, len(questions), language), "bold")
    raise typer.Exit(2 if answered < len(questions) else 0 if right == answered else 1)


@app.command()
def doctor(lang: LangOption = None):
    """Look whether everything the course needs works on this machine."""
    from .student import doctor as examining

    language, console, well = _language(lang), _console(), True
    for found in examining.examine(Path("."), sys.stdout.encoding or "ascii"):
        examining.show(found, language, console)
        well = well and found.ok is not False
    _print(console, "\n" + texts.say(language, "doctor.well" if well else "doctor.ill"), "bold")
    raise typer.Exit(0 if well else 1)


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


def _print(console, text, style=""):
    from rich.text import Text

    console.print(Text(text, style))


def _paragraph(console, text):
    """Print a line of its own; what starts with a mark such as ``a)`` keeps its further lines under its text."""
    mark = re.match(r" *\w\) ", text)
    _print(console, textwrap.fill(text, console.width, subsequent_indent=" " * len(mark[0])) if mark else text)


def _lab(name, path, language, function=None):
    """Return the lab that is named, or the one that has the function, or the one that the path is about."""
    from .student import choice

    if name is None and function is not None:
        name = choice.of_function(function, path)
    name = name or choice.of_path(path)
    if name is None:
        with suppress(UsageError), _sentences(language, "read.empty_folder"):
            find(path, labs.LABS[0])  # or say what is the matter with the path itself
        if function is not None:
            names = dict.fromkeys(part.name for lab in labs.LABS for part in labs.get(lab).parts)
            _stop(texts.say(language, "hint.unknown", {"name": function, "names": ", ".join(names)}))
        facts = {"path": path, "labs": ", ".join(labs.LABS)}
        _stop(texts.say(language, "read.no_lab_here" if path.is_dir() else "read.which_lab", facts))
    if name not in labs.LABS:
        _stop(texts.say(language, "read.unknown_lab", {"lab": name, "labs": ", ".join(labs.LABS)}))
    return labs.get(name)


def main():
    """Run the command; every ending is an exit code and, if it is not a good one, a sentence."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        code = app(prog_name="attnlab", standalone_mode=False) or 0
        sys.exit(2 if code == 130 else code)  # typer's own code for Ctrl-C
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
