"""One file judged again and again, for `attnlab check --watch`: first what is wrong, then why, then smaller examples.

Three rules: what a change cannot touch is not judged again; a newer file ends whatever is being found out about the old
one; and a part that takes long keeps nobody from seeing the others. The last is done by putting such a part off, not by
a shorter limit: code that is slow but right has the same time as ever, only later.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .. import submission, texts
from ..checking import cases as drawn
from ..checking import engine, shrink
from ..checking.report import PartResult, Report
from ..checking.target import Interrupted, Problem
from ..labs.model import Lab
from ..sandbox.process import ProcessTarget
from .outline import outline, reach, touched

LOAD_PATIENCE = 1.0  # seconds that loading the file may take before the student is told of it
PATIENCE = 0.5  # seconds that a part may take before it is put off
EXPLAINED = 10.0  # seconds for finding causes, which takes a tenth of that unless it runs into an endless loop
SHRUNK = 1.7  # seconds after the save by which examples are small, or stay as they are
LEAST = 0.4  # seconds for that, however late it is: the machine may be busy
GRACE = 0.2  # seconds between the end of a search and the end of the process that it runs in


class Superseded(Exception):
    """There is a newer file: what is being found out about this one is no longer wanted."""


@dataclass(frozen=True)
class Round:
    """What is known of one version of the file at one moment.

    Attributes
    ----------
    report : Report
        All parts, except those that have not been judged yet.
    judged : tuple of str
        The parts judged again for it.
    seconds : float
        How long it took until every part was judged.
    running : tuple of str
        Parts still to be judged, because they take long.
    last : bool
        Whether this is all there will be.
    """

    report: Report
    judged: tuple[str, ...]
    seconds: float
    running: tuple[str, ...] = ()
    last: bool = True


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
        self._outline, self._results, self._problems = None, {}, ()
        self._slow = set()  # parts that were put off the last time they were judged
        self._lock = threading.Lock()
        self._target, self._waiting, self._data, self._superseded = None, None, None, False
        self._prepare()

    def rounds(self, everything: bool = False) -> Iterator[Round]:
        """Yield the result at once and, if something is wrong, again with its causes and with smaller examples.

        With `everything` the results so far count for nothing, as when another file changed.

        Raises
        ------
        Superseded
            If `supersede` was called meanwhile.
        UsageError
            If there is no such file.
        """
        start = time.perf_counter()
        before = None if everything else self._outline
        self._outline = None  # until the round is complete: an interrupted one is no basis
        with self._lock:
            self._data, self._superseded = _bytes(self.path), False
        try:
            work = submission.read(self.path)
        except submission.Unreadable as error:
            told = texts.say(self.lang, error.message, error.facts)
            self._results = {}
            yield Round(engine.unreadable(self.lab, Problem("unreadable", told, self.path.name)), (), _since(start))
            return
        try:
            now = outline(work.chunks, self.lab.functions)
            parts = self._stale(before, now)
            yield from self._judged(work.chunks, parts, now, start)
            self._outline = now
        finally:
            self._drop()
            self._prepare()

    def supersede(self, surely: bool = False) -> None:
        """End the round at work, if there is one and the file is no longer what it judges (or `surely`).

        May be called from another thread.
        """
        with self._lock:
            if self._data is not None and (surely or _bytes(self.path) != self._data):
                self._superseded = True
                if self._target is not None:
                    self._target.interrupt()

    def _judged(self, chunks, parts, now, start):
        """Judge parts, and yield as soon as there is something to see and after each step from there."""
        self._results = {name: result for name, result in self._results.items() if name not in parts}
        running = self._quick(chunks, parts, now)
        while running:
            yield Round(self._report(), parts, _since(start), running, last=False)
            with self._at_work(chunks):
                self._judge(running[:1], shrink=False, explain=False)
            running = running[1:]
        seconds = _since(start)
        wrong = [self._results[name] for name in parts if _is_wrong(self._results[name])]
        if not wrong or any(result.status == "timeout" for result in wrong):
            # an endless loop is cause enough, and would have to be sat out again
            yield Round(self._report(), parts, seconds)
            return
        yield Round(self._report(), parts, seconds, last=False)
        self._prepare()  # the next process starts while this one is at work: a save finds it ready
        with self._at_work(chunks, EXPLAINED):
            self._judge([name for name in parts if name in self._not_right()], shrink=False)
        roots = [r.part.name for r in wrong if not set(r.part.uses) & self._not_right()]
        for done, name in enumerate(roots):  # what follows from them is shown without examples
            yield Round(self._report(), parts, seconds, last=False)
            share = max(SHRUNK - _since(start), LEAST) / (len(roots) - done)
            with self._at_work(chunks, share + GRACE):
                self._results[name] = shrink.shrunk(self.lab, self._results[name], self._target, share)
        yield Round(self._report(), parts, seconds)

    def _quick(self, chunks, parts, now):
        """Judge what can be judged quickly; return the parts that are put off."""
        off = [name for name in parts if name in self._slow]
        for name in parts:
            if name in off or self._runs_into(name, off, now):
                continue
            with self._at_work(chunks, LOAD_PATIENCE):
                self._target.survey()
            if self._target is None:  # the file itself takes long, whichever part is asked for
                break
            with self._at_work(chunks, PATIENCE):
                self._judge((name,), shrink=False, explain=False)
            if self._target is None:
                off.append(name)
        left = tuple(name for name in parts if name not in self._results)
        self._slow = self._slow - set(parts) | set(off)
        return left

    def _runs_into(self, name, off, now):
        """Say whether a part calls something that has just been put off."""
        outlines = () if now is None else (now,)
        return bool({self.lab.part(o).function for o in off} & reach(self.lab, self.lab.part(name), *outlines))

    def _stale(self, before, now):
        """Return the parts to judge again."""
        parts = set(touched(self.lab, before, now))
        parts |= {name for name, result in self._results.items() if _tells_a_line(result)}
        used = {name for part in parts for name in self.lab.part(part).uses}
        parts |= used & self._not_right()  # the engine asks for them when it judges what uses them
        return tuple(part.name for part in self.lab.parts if part.name in parts or part.name not in self._results)

    def _not_right(self):
        return {name for name, result in self._results.items() if result.status != "passed"}

    def _judge(self, parts, **options):
        """Put new results of some parts in the place of the old ones."""
        new = engine.check(self.lab, self._target, self._cases, parts=tuple(parts), **options)
        self._problems = new.problems
        self._results |= {result.part.name: result for result in new.parts}

    def _report(self):
        results = (self._results[part.name] for part in self.lab.parts if part.name in self._results)
        return Report(self.lab, tuple(results), self._problems)

    # --- processes ----------------------------------------------------------------------------------------------------

    @contextmanager
    def _at_work(self, chunks, seconds=None):
        """Have a process at hand. After `seconds` it is ended, and what was to be found out in it stays unknown."""
        with self._lock:
            if self._superseded:
                raise Superseded
            if self._target is None:
                self._target, self._waiting = self._waiting or self._process(), None
                self._target.give(chunks)
            target = self._target
        timer = threading.Timer(seconds, target.interrupt) if seconds is not None else None
        try:
            if timer is not None:
                timer.start()
            yield
        except Interrupted:
            self._drop()
            if self._superseded:
                raise Superseded from None
        finally:
            if timer is not None:
                timer.cancel()

    def _drop(self):
        """End the process at work."""
        with self._lock:
            target, self._target = self._target, None
        if target is not None:
            target.close()

    def close(self) -> None:
        """End all processes."""
        self._drop()
        if self._waiting is not None:
            self._waiting.close()
            self._waiting = None

    def _prepare(self):
        """Have a process started before there is anything to load: starting takes longer than judging."""
        if self._waiting is None:
            self._waiting = self._process()

    def _process(self):
        name = "__main__" if self.path.suffix.lower() == ".ipynb" else "submission"
        return ProcessTarget((), self.lab.functions, folder=self.path.resolve().parent, name=name)


def _is_wrong(result: PartResult):
    return result.status not in ("passed", "todo", "missing")


def _tells_a_line(result: PartResult):
    """Say whether a message names a line, which moves when something above it changes."""
    return any(check.fault is not None and "line" in check.fault.facts for check in result.checks)


def _since(start):
    return time.perf_counter() - start


def _bytes(path):
    """Return what a file holds, None if it cannot be read at the moment."""
    try:
        return path.read_bytes()
    except OSError:
        return None
