"""The commands ``attnlab web build`` and ``attnlab web serve``."""

from contextlib import ExitStack, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
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


@app.command()
def serve(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="A site that was built. Default: build one for the time being.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Default: a free one.")] = 0,
    lab: LabsOption = None,
    pyodide_url: UrlOption = None,
    lang: LangOption = None,
):
    """Show the course in a browser on this machine, until Ctrl-C."""
    from .serving import server

    lang = language(lang)
    if folder is not None and not (folder / "sw.js").is_file():
        stop(texts.say(lang, "web.no_site", {"path": folder}))
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="attnlab-web-", ignore_cleanup_errors=True)))
            built(folder, lab, pyodide_url, lang)
        try:
            running = stack.enter_context(server(folder, port))
        except OSError as error:
            why = error.strerror or type(error).__name__
            stop(texts.say(lang, "web.port_taken", {"port": port, "why": why}))
        url = f"http://{running.server_address[0]}:{running.server_address[1]}/"
        print(texts.say(lang, "web.serving", {"url": url}), flush=True)
        with suppress(KeyboardInterrupt):
            running.serve_forever()


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
