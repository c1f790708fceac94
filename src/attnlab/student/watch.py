"""`attnlab check --watch`: after each save the parts that the change can touch are judged again, the rest is kept."""

import ast
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .. import submission, texts
from ..checking import cases as drawn
from ..checking import engine
from ..checking.report import PartResult, Report
from ..checking.target import Problem
from ..emit import terminal
from ..labs.model import Lab
from ..sandbox.process import ProcessTarget
from .progress import bar

DEBOUNCE, STEP = 50, 20  # milliseconds: at most, and since the last event


@dataclass(frozen=True)
class Outline:
    """A submission's code without layout and comments: each of the lab's functions, what it names, and all the rest."""

    functions: dict[str, tuple[str, ...]]
    names: dict[str, frozenset[str]]
    rest: tuple[str, ...]


def outline(chunks, functions: tuple[str, ...]) -> Outline | None:
    """Return the outline of a submission; None if a chunk is not Python."""
    found, names, rest = {}, {}, []
    for _, source in chunks:
        try:
            body = ast.parse(source).body
        except submission.NOT_PYTHON:
            return None
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name in functions:
                found[node.name] = (*found.get(node.name, ()), ast.dump(node))
                used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
                names[node.name] = names.get(node.name, frozenset()) | used
                rest.append(node.name)  # where it stands among the others
            else:
                rest.append(ast.dump(node))
    return Outline(found, names, tuple(rest))


def touched(lab: Lab, before: Outline | None, after: Outline | None) -> tuple[str, ...]:
    """Return the parts whose result a change can alter: all of them unless only functions of the lab changed."""
    if before is None or after is None or before.rest != after.rest:
        return tuple(part.name for part in lab.parts)
    changed = {f for f in lab.functions if before.functions.get(f) != after.functions.get(f)}
    return tuple(part.name for part in lab.parts if changed & _reach(lab, part, before, after))


def _reach(lab, part, *outlines):
    """Return the functions that a part may come to call: what it names, what that names, and what the lab expects."""
    todo, found = [part.function, *(lab.part(name).function for name in part.uses)], set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += {n for o in outlines for n in o.names.get(name, ())} & set(lab.functions)
    return found


@dataclass(frozen=True)
class Round:
    """One look at the file: the whole report, the parts judged again for it, and how long that took."""

    report: Report
    judged: tuple[str, ...]
    seconds: float


class Watcher:
    """Judges one file again and again.

    Parameters
    ----------
    path : Path
        The student's file.
    lab : Lab
    lang : str
    """

    def __init__(self, path: Path, lab: Lab, lang: str):
        self.path, self.lab, self.lang = path, lab, lang
        self._cases = drawn.visible(lab)
        self._outline, self._report, self._waiting = None, None, None
        self._prepare()

    def rounds(self, everything: bool = False) -> Iterator[Round]:
        """Yield the result at once and, if something is wrong, again with its causes and with smaller examples.

        With `everything` the results so far count for nothing, as when another file changed.
        """
        start = time.perf_counter()
        try:
            work = submission.read(self.path)
        except submission.Unreadable as error:
            told = texts.say(self.lang, error.message, error.facts)
            self._outline = None
            self._report = engine.unreadable(self.lab, Problem("unreadable", told, self.path.name))
            yield Round(self._report, (), time.perf_counter() - start)
            return
        target, self._waiting = self._waiting, None
        target.give(work.chunks)
        try:
            now = outline(work.chunks, self.lab.functions)
            parts = self._stale(None if everything else self._outline, now)
            self._outline = None  # until the round is complete: an interrupted one is no basis
            self._judge(target, parts, shrink=False, explain=False)
            seconds = time.perf_counter() - start
            yield Round(self._report, parts, seconds)
            for _ in self._explanations(target, parts):
                yield Round(self._report, parts, seconds)
            self._outline = now
        finally:
            target.close()
            self._prepare()

    def _stale(self, before, now):
        """Return the parts to judge again."""
        parts = set(touched(self.lab, before, now))
        if self._report is not None:
            parts |= {result.part.name for result in self._report.parts if _tells_a_line(result)}
            used = {name for part in parts for name in self.lab.part(part).uses}
            parts |= used & self._not_right()  # the engine asks for them when it judges what uses them
        return tuple(part.name for part in self.lab.parts if part.name in parts)

    def _explanations(self, target, parts):
        """Find out more about what is wrong, and yield after each step: first causes, then smallest examples."""
        judged = [self._report.part(name) for name in parts]
        if not any(map(_is_wrong, judged)) or any(result.status == "timeout" for result in judged):
            return  # an endless loop is cause enough, and would have to be sat out again
        self._judge(target, [result.part.name for result in judged if result.status != "passed"], shrink=False)
        yield
        roots = [r.part.name for r in judged if _is_wrong(r) and not set(r.part.uses) & self._not_right()]
        if roots:  # what follows from them is shown without examples
            self._judge(target, roots, explain=False, keep_causes=True)
            yield

    def _not_right(self):
        return {result.part.name for result in self._report.parts if result.status != "passed"}

    def _judge(self, target, parts, keep_causes=False, **options):
        """Put new results of some parts into the report; of those with known causes only what the checks say."""
        new = engine.check(self.lab, target, self._cases, parts=tuple(parts), **options)
        fresh = {result.part.name: result for result in new.parts}
        old = self._report.parts if self._report is not None else new.parts
        if keep_causes:
            fresh = {
                r.part.name: replace(r, status=f.status, checks=f.checks)
                for r in old
                if (f := fresh.get(r.part.name)) is not None
            }
        self._report = replace(new, parts=tuple(fresh.get(r.part.name, r) for r in old))

    def close(self) -> None:
        """End the process that waits."""
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None

    def _prepare(self):
        name = "__main__" if self.path.suffix.lower() == ".ipynb" else "submission"
        self._waiting = ProcessTarget((), self.lab.functions, folder=self.path.resolve().parent, name=name)


def _is_wrong(result: PartResult):
    return result.status not in ("passed", "todo", "missing")


def _tells_a_line(result: PartResult):
    """Say whether a message names a line, which moves when something above it changes."""
    return any(check.fault is not None and "line" in check.fault.facts for check in result.checks)


# --- the screen -------------------------------------------------------------------------------------------------------


def watch(path: Path, lab: Lab, lang: str, console: Console, stop=None) -> None:
    """Check `path` now and after each save, until interrupted (or until the event `stop` is set)."""
    from watchfiles import watch as changes

    watcher = Watcher(path, lab, lang)
    wanted = path.resolve()

    def relevant(_, name):
        return Path(name) == wanted or (name.endswith(".py") and not Path(name).name.startswith("."))

    events = changes(
        wanted.parent, watch_filter=relevant, debounce=DEBOUNCE, step=STEP, recursive=False, stop_event=stop,
        yield_on_timeout=True, rust_timeout=200, raise_interrupt=True,
    )  # fmt: skip
    try:
        next(events)  # from here on no save is missed
        _round(watcher, console, everything=True)
        for seen in events:
            if seen and path.exists():
                _round(watcher, console, everything=any(Path(name) != wanted for _, name in seen))
    finally:
        events.close()
        watcher.close()


def _round(watcher, console, everything):
    try:
        with closing(watcher.rounds(everything)) as rounds:
            for found in rounds:
                draw(screen(found, watcher.path, watcher.lang, console), console)
    except submission.UsageError as error:  # gone or locked for a moment: the next save tells
        draw(texts.say(watcher.lang, error.message, error.facts) + "\n", console)


def screen(found: Round, path: Path, lang: str, console: Console) -> str:
    """Return what is shown after one round: in a terminal no more than fits, so that the parts stay in sight."""
    with console.capture() as told:
        terminal.show(found.report, lang, console)
    with console.capture() as below:
        console.print()
        console.print(bar(found.report, lang, console))
        facts = {"time": time.strftime("%H:%M:%S"), "seconds": f"{found.seconds:.2f}", "path": path.name}
        console.print(Text(texts.say(lang, "watch.checked", facts), "dim"))
        if 0 < len(found.judged) < len(found.report.parts):
            again = ", ".join(found.judged)
            console.print(Text(texts.say(lang, "watch.again", {"parts": again}), "dim"))
        elif not found.judged and found.report.passed:
            console.print(Text(texts.say(lang, "watch.nothing_changed"), "dim"))
        console.print(Text(texts.say(lang, "watch.how_to_end"), "dim"))
    lines, ending = told.get().splitlines(keepends=True), below.get()
    room = console.height - 3 - ending.count("\n")
    if console.is_terminal and sum(_rows(line, console.width) for line in lines) > room:
        kept = []
        while lines and room >= _rows(lines[0], console.width):
            room -= _rows(lines[0], console.width)
            kept.append(lines.pop(0))
        lines = [*kept, texts.say(lang, "watch.rest", {"path": path}) + "\n"]
    return "".join(lines) + ending


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
