"""`attnlab check --watch`: the screen follows the file. What is judged after a save, see `attnlab.student.rounds`."""

import queue
import threading
import time
from contextlib import closing, suppress
from importlib import import_module
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .. import submission, texts
from ..emit import terminal
from ..labs.model import Lab
from .advice import command
from .progress import bar, row
from .rounds import Round, Superseded, Watcher

DEBOUNCE, STEP = 50, 20  # milliseconds: at most, and since the last event
POLL = 0.2  # seconds: on some systems Ctrl-C is only heard between two waits


def watch(path: Path, lab: Lab, lang: str, console: Console, stop: threading.Event | None = None) -> None:
    """Check `path` now and after each save, until interrupted (or until `stop` is set)."""
    stop = stop or threading.Event()
    watcher, saves = Watcher(path, lab, lang), queue.SimpleQueue()
    listener = threading.Thread(target=_listen, args=(path, watcher, saves, stop), daemon=True)
    listener.start()
    try:
        started = False
        while (everything := _next(saves, stop)) is not None:
            while not _round(watcher, console, everything):
                everything, _ = True, _heard(saves)
            if not started:  # while nothing else is to be done
                threading.Thread(target=_warm_up, args=(lab,), daemon=True).start()
                started = True
    finally:
        stop.set()
        watcher.close()
        listener.join(2)


def _listen(path, watcher, saves, stop):
    """Put into `saves`, for each save, whether other files changed too. The first one says that it listens."""
    wanted = path.resolve()
    try:
        for changes in (_told, _looked_up):
            with suppress(OSError), closing(changes(wanted, stop)) as changed:
                next(changed, None)
                saves.put(True)
                for names in changed:
                    if names and path.exists():
                        others = bool(names - {str(wanted)})
                        saves.put(others)
                        watcher.supersede(surely=others)
                return
    except Exception as error:
        saves.put(error)


def _told(wanted, stop):
    """Yield the names of files that the system says have changed: none at first, and now and then."""
    from watchfiles import watch as changes

    def relevant(_, name):
        return Path(name) == wanted or (name.endswith(".py") and not Path(name).name.startswith("."))

    for seen in changes(
        wanted.parent, watch_filter=relevant, debounce=DEBOUNCE, step=STEP, recursive=False, stop_event=stop,
        yield_on_timeout=True, rust_timeout=int(1000 * POLL),
    ):  # fmt: skip
        yield {name for _, name in seen}


def _looked_up(wanted, stop):
    """Yield the names of files that look different now: for systems that watch no more files for this user."""
    before = None
    while not stop.wait(POLL if before is not None else 0):
        now = {}
        for file in {wanted, *wanted.parent.glob("[!.]*.py")}:
            with suppress(OSError):
                found = file.stat()
                now[str(file)] = (found.st_mtime_ns, found.st_size, found.st_ino)
        changed = set() if before is None else {name for name, mark in now.items() if before.get(name) != mark}
        before = now
        yield changed


def _next(saves, stop):
    """Wait for saves; return whether everything is to be judged again, None at the end."""
    while not stop.is_set():
        with suppress(queue.Empty):
            heard = [saves.get(timeout=POLL)]
            return any(_heard(saves, heard))
    return None


def _heard(saves, heard=()):
    """Return what is in `saves` now, after what was `heard` before; raise what ended the listening."""
    heard = list(heard)
    with suppress(queue.Empty):
        while True:
            heard.append(saves.get_nowait())
    for error in heard:
        if isinstance(error, Exception):
            raise error
    return heard


def _round(watcher, console, everything):
    """Judge the file as it is now and show what comes out; return False if a newer one is there meanwhile."""
    try:
        with closing(watcher.rounds(everything)) as rounds:
            for found in rounds:
                draw(screen(found, watcher.path, watcher.lang, console), console)
    except Superseded:
        return False
    except submission.UsageError as error:  # gone or locked for a moment: the next save tells
        draw(texts.say(watcher.lang, error.message, error.facts) + "\n", console)
    return True


def _warm_up(lab):
    """Import what explaining a mistake needs."""
    import_module("hypothesis.strategies")
    lab.strategies()
    lab.misconceptions()


# --- the screen -------------------------------------------------------------------------------------------------------


def screen(found: Round, path: Path, lang: str, console: Console) -> str:
    """Return what is shown after one round: in a terminal no more than fits, so that the parts stay in sight."""
    with console.capture() as told:
        if found.running:
            _so_far(found, lang, console)
        else:
            terminal.show(found.report, lang, console)
    with console.capture() as below:
        console.print()
        if not found.running:
            console.print(bar(found.report, lang, console))
        facts = {"time": time.strftime("%H:%M:%S"), "seconds": f"{found.seconds:.2f}", "path": path.name}
        console.print(Text(texts.say(lang, "watch.checked", facts), "dim"))
        if 0 < len(found.judged) < len(found.report.parts):
            again = ", ".join(found.judged)
            console.print(Text(texts.say(lang, "watch.again", {"parts": again}), "dim"))
        elif not found.judged and found.report.passed:
            console.print(Text(texts.say(lang, "watch.nothing_changed"), "dim"))
        if not found.last and not found.running:
            console.print(Text(texts.say(lang, "watch.goes_on"), "dim"))
        console.print(Text(texts.say(lang, "watch.how_to_end"), "dim"))
    lines, ending = told.get().splitlines(keepends=True), below.get()
    room = console.height - 3 - ending.count("\n")
    if console.is_terminal and sum(_rows(line, console.width) for line in lines) > room:
        kept = []
        while lines and room >= _rows(lines[0], console.width):
            room -= _rows(lines[0], console.width)
            kept.append(lines.pop(0))
        lines = [*kept, texts.say(lang, "watch.rest", {"command": command("attnlab", "check", path, lang=lang)}) + "\n"]
    return "".join(lines) + ending


def _so_far(found, lang, console):
    """Show the parts whose results are there, and which are still running."""
    results = {result.part.name: result for result in found.report.parts}
    for part in found.report.lab.parts:
        if part.name in results:
            console.print(row(results[part.name], found.report.lab, lang, console))
        else:
            name = terminal.column(part.name, found.report.lab)
            console.print(Text.assemble((" ? ", "yellow"), (name, "bold"), texts.say(lang, "watch.runs")))
    console.print()
    console.print(Text(texts.say(lang, "watch.running", {"parts": ", ".join(found.running)})))


def _rows(line, width):
    """Return how many rows of the screen a line takes."""
    return max(1, -(-Text.from_ansi(line.rstrip("\n")).cell_len // width))


def draw(text: str, console: Console) -> None:
    """Put `text` on the screen in one go: written over the old one, so that nothing flickers; below it in a file."""
    if not console.is_terminal:
        console.file.write(text + "\n")
    elif console.legacy_windows:
        console.clear()
        console.file.write(text)
    else:
        over = "\x1b[H" + text.replace("\n", "\x1b[K\n") + "\x1b[J"
        console.file.write(over)
    console.file.flush()
