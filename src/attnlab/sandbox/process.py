"""A target whose functions live in a process of their own, with limits."""

import difflib
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..checking.target import Interrupted, Lost, Problem, Survey
from ..labs.model import Case, Part
from . import agent, answers

PROGRAM = Path(agent.__file__).with_name("__main__.py")
FORK = LIMITED = sys.platform == "linux"  # elsewhere forking after NumPy is loaded is unsafe or impossible
MAX_SKIPS = 5
MAX_SIDE = 2000  # of an array that a stand-in is asked about
TICK = 0.05  # seconds between two looks of the watchdog
BUSY_FACTOR = 10  # wall seconds granted at most for each second of the limit


class AgentError(RuntimeError):
    """The grader's own machinery broke; no fault of the student."""


@dataclass(frozen=True)
class Limits:
    """Seconds of CPU time or of sleep; half the wall time, where the system does not tell them apart.

    A busy machine takes nothing from these: time spent waiting for a processor is not counted.
    """

    start: float = 60.0
    load: float = 10.0
    case: float = 2.0
    after_timeout: float = 1.0


class ProcessTarget:
    """Runs `chunks`, labelled pieces of source, in an agent process. Starts at once, so that it overlaps other work.

    Parameters
    ----------
    chunks : sequence of (label, source)
        The student's file, or the cells of a notebook.
    functions : sequence of str
        Names that the lab asks for.
    folder : Path or None
        Where modules and data of the student's own are looked for.
    name : str
        ``__name__`` of the student's module.
    """

    def __init__(self, chunks, functions, *, folder=None, name="submission", limits=None):
        self.give(chunks)
        self._functions = tuple(functions)
        self._folder, self._name = folder, name
        self._limits = limits or Limits()
        self._case_limit = self._limits.case
        self._skip, self._losses = (), ()
        self._serial = 0
        self._survey = None
        self._process = None
        self._interrupted = False
        self._start()

    def give(self, chunks) -> None:
        """Put other source in the place of the source so far; only before the first `survey` makes a difference."""
        self._chunks = tuple((str(label), str(source)) for label, source in chunks)

    def interrupt(self) -> None:
        """End all work for good. May be called from another thread: whoever waits for an answer gets `Interrupted`."""
        self._interrupted = True
        process = self._process
        if process is not None and process.poll() is None:
            _kill(process)

    def survey(self) -> Survey:
        """Load the source (again after each loss, without the statement in which it was lost)."""
        while self._survey is None:
            at = (0, 0, 0)
            try:
                self._ready()
                names = tuple(self._functions)
                folder = str(self._folder or "")
                self._send(("load", self._name, folder, names, self._chunks, self._skip), self._limits.load)
                while answers.is_progress(answer := self._receive(self._limits.load), len(self._chunks)):
                    at = answer[1:]
                if not answers.is_load_answer(answer, len(names)):
                    raise self._babble()
            except Lost as lost:
                problem = Problem(lost.kind, lost.detail, self._chunks[at[0]][0] if self._chunks else "", at[2])
                self._losses += (problem,)
                self._skip += (at[:2],)
                if len(self._skip) > MAX_SKIPS:
                    self._survey = self._found(dict.fromkeys(self._functions, "missing"), self._losses)
                continue
            _, states, problems, defined = answer
            found = tuple(Problem(kind, text, place, line) for _, kind, text, place, line in problems)
            self._survey = self._found(dict(zip(self._functions, states, strict=True)), self._losses + found, defined)
        return self._survey

    def _found(self, states, problems, defined=()):
        causes = {}
        for function in (f for f, state in states.items() if state == "missing"):
            defines = re.compile(rf"^\s*(?:def|class|async def)\s+{function}\b|^{function}\s*=", re.MULTILINE)
            homes = {label for label, source in self._chunks if defines.search(source)}
            cause = next((p for p in problems if p.place in homes), None)
            if cause is not None:
                causes[function] = cause
        spare = [name for name in defined if name not in self._functions]
        return Survey(states, problems, causes, {f: close for f in states if (close := _close(f, spare))})

    def run(self, part: Part, cases: Sequence[Case], stand_ins: dict) -> Iterator[tuple]:
        """Yield what the agent answers, case by case; compute meanwhile what its stand-ins are asked for."""
        if self._process is None:
            self._survey = None
            self.survey()
        request = tuple((case.layout, case.calls) for case in cases)
        self._serial += 1
        names = tuple((name, tuple(parameters)) for name, (_, parameters) in stand_ins.items())
        self._send(("run", self._serial, part.function, len(part.outputs), request, names), self._case_limit)
        for number, case in enumerate(cases):
            while answers.is_question(answer := self._receive(self._case_limit), self._serial, stand_ins):
                self._send(("right", right_answer(stand_ins[answer[2]][0], answer[3])), self._case_limit)
            if answer[:2] == ("end", self._serial):
                raise Lost("died", _ending(answer[2]))
            if answer[:2] != (self._serial, number) or not answers.is_result(answer[2:], case.calls, len(part.outputs)):
                raise self._babble()
            yield answer[2]
        if self._receive(self._case_limit)[:2] != ("end", self._serial):
            raise self._babble()

    def run_case(self, function, n_outputs: int, layout: str, calls: tuple) -> tuple:
        """Run a function of ours on a case just as the student's are run."""
        self._go_on()
        with agent.quiet():
            return agent.run_case(function, n_outputs, layout, calls)

    def close(self) -> None:
        """Kill the agent and everything it started."""
        if self._process is not None:
            self._watch.stop()
            _kill(self._process)
            for stream in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    stream.close()
            self._process.wait()
            self._process = None

    def _go_on(self):
        """Raise `Interrupted` if the work is no longer wanted."""
        if self._interrupted:
            self.close()
            raise Interrupted

    def _start(self):
        self._go_on()
        environment = os.environ | {
            "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg",
        }  # fmt: skip
        settings = json.dumps({"fork": FORK, "rlimits": {"AS": 8 << 30, "CPU": 600, "CORE": 0} if LIMITED else {}})
        command = [sys.executable, "-P", "-X", "utf8", str(PROGRAM), settings]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True, cwd=self._folder,
        )  # fmt: skip
        self._is_ready = False
        self._watch = _Watchdog(self._process)

    def _ready(self):
        if self._process is None:
            self._start()
        if not self._is_ready:
            try:
                self._receive(self._limits.start)
            except Lost as lost:
                raise AgentError(f"the process for student code did not start ({lost.kind}, {lost.detail})") from None
            self._is_ready = True

    def _send(self, request, seconds):
        self._go_on()
        self._watch.begin(seconds)
        try:
            self._process.stdin.write(agent.frame(request))
            self._process.stdin.flush()
        except OSError:
            raise self._lost() from None

    def _receive(self, seconds):
        self._watch.begin(seconds)
        try:
            data = agent.read_frame(self._process.stdout)
            if data is None:
                raise self._lost()
            self._watch.end()
            answer = agent.unpack(data)
        except ValueError:
            raise self._babble() from None
        if type(answer) is not tuple or not answer:
            raise self._babble()
        return answer

    def _babble(self):
        """An answer nobody asked for, or not in the language agreed on: what stands behind it cannot be trusted."""
        self._go_on()
        self.close()
        return Lost("died", "babble")

    def _lost(self):
        self._go_on()
        watch, process = self._watch, self._process
        if not watch.fired:
            with suppress(subprocess.TimeoutExpired):
                process.wait(1)
        code = process.poll()
        self.close()
        if watch.fired:
            self._case_limit = min(self._case_limit, self._limits.after_timeout)
            return Lost("timeout", f"{watch.seconds:g}")
        return Lost("died", "exit" if code is None or code >= 0 else _signal(-code))


def _close(name, others):
    """Return the one of `others` that looks like `name` misspelt, or None. Case counts for nothing."""
    lowered = {other.lower().replace("_", ""): other for other in others}
    found = difflib.get_close_matches(name.replace("_", ""), lowered, 1, 0.85)
    return lowered[found[0]] if found else None


def right_answer(function, args):
    """Return what a right function gives for arguments that came out of the student's process, None if it refuses them.

    They may be anything, so their size is looked at before anything is computed.
    """
    sizes = [n for a in args for n in (a.shape if hasattr(a, "shape") else [a] if type(a) is int else [])]
    if any(n > MAX_SIDE for n in sizes) or sum(a.size for a in args if hasattr(a, "size")) > MAX_SIDE**2:
        return None
    try:
        with np.errstate(all="ignore"):
            return function(*args)
    except Exception:
        return None


class _Watchdog:
    """Kills a process whose step has used its time. Reading an answer stays a plain blocking read on every system."""

    def __init__(self, process):
        self.fired, self.seconds = False, 0.0
        self._process = process
        self._step, self._stopped = None, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def begin(self, seconds):
        self.seconds = seconds
        self._step = (object(), seconds)

    def end(self):
        self._step = None

    def stop(self):
        self._stopped.set()

    def _watch(self):
        seen = None
        while not self._stopped.wait(TICK):
            step = self._step
            if step is None or step is not seen:
                seen, began, used, idle = step, time.monotonic(), None, 0.0
                continue
            wall = time.monotonic() - began
            charged = wall / 2
            usage = _session_usage(self._process.pid)
            if usage is not None:
                cpu, runnable = usage
                used = cpu if used is None else used
                idle += 0.0 if runnable else TICK
                charged = cpu - used + idle
            if charged > step[1] or wall > BUSY_FACTOR * step[1]:
                self.fired = True
                _kill(self._process)
                return


def _session_usage(session):
    """Return the CPU seconds of all processes of a session and whether any could run, or None if the system won't say.

    A process that waits for a processor on a busy machine is runnable; one that sleeps by itself is not.
    """
    total, found, runnable = 0, False, False
    try:
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with suppress(OSError, IndexError, ValueError), open(f"/proc/{entry.name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                    if int(fields[3]) == session:
                        total, found = total + int(fields[11]) + int(fields[12]), True
                        runnable = runnable or fields[0] in (b"R", b"D")
    except OSError:
        return None
    return (total / os.sysconf("SC_CLK_TCK"), runnable) if found else None


def _kill(process):
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def _ending(status):
    return _signal(status & 0x7F) if status & 0x7F else "exit"


def _signal(number):
    with suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"
