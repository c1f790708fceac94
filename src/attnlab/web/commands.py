"""The commands ``attnlab web build`` and ``attnlab web serve``."""

from pathlib import Path
from typing import Annotated

import typer

from .. import labs, texts
from ..command_line import LangOption, console, language, stop
from ..submission import UsageError

app = typer.Typer(no_args_is_help=True, help="The course as a web page: build it, or show it on this machine.")

LabsOption = Annotated[list[str] | None, typer.Option("--lab", help="Only this lab (may be given several times).")]
UrlOption = Annotated[
    str | None,
    typer.Option("--pyodide-url", metavar="URL", help="Load Pyodide from there instead of from the site itself."),
]


@app.command()
def build(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The folder to write.")],
    lab: LabsOption = None,
    pyodide_url: UrlOption = None,
    lang: LangOption = None,
):
    """Write the course as a static site that any web server can host."""
    lang = language(lang)
    sizes = built(out, lab, pyodide_url, lang)
    python = sum(size for name, size in sizes.items() if name.startswith("python/"))
    facts = {"path": out, "files": len(sizes), "size": _megabytes(sum(sizes.values())), "python": _megabytes(python)}
    console().print(texts.say(lang, "web.built", facts), markup=False)


def built(out: Path, course, pyodide_url, lang: str) -> dict[str, int]:
    """Build a site; end with a sentence where that is impossible."""
    for name in course or ():
        if name not in labs.LABS:
            stop(texts.say(lang, "read.unknown_lab", {"lab": name, "labs": ", ".join(labs.LABS)}))
    screen = console()

    def told(name):
        message = "web.working" if name in labs.LABS else "web.fetching"
        screen.print(texts.say(lang, message, {"name": name}), markup=False, style="dim")

    try:
        from .build import build as run

        return run(out, tuple(course or labs.LABS), pyodide_url, told)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] == "attnlab":
            raise
        stop(texts.say(lang, "web.not_installed", {"name": error.name}))
    except UsageError as error:
        stop(texts.say(lang, error.message, error.facts))


def _megabytes(count):
    return f"{count / 1e6:.1f}"
