"""A target whose functions live in another process: what is said to it, and what is believed of its answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from ..checking.target import Interrupted, Lost, Problem, Survey
from ..labs.model import Case, Part
from . import agent, answers
from .limits import Limits
from .right import found, right_answer
from .watchdog import Usage, Watchdog

MAX_SKIPS = 5
MAX_PACKED = 5000  # cases that are kept packed
FEW, MANY = 1 << 12, 1 << 16  # items in what is answered to a case, and to a source


class AgentError(RuntimeError):
    """The grader's own machinery broke; no fault of the student."""


class StudentError(Exception):
    """A call ended in an exception of the student's: its type, its text, and the student's line it came from."""

    def __init__(self, kind: str, text: str, place: str = "", line: int = 0):
        super().__init__(kind, text, place, line)
        self.kind, self.text, self.place, self.line = kind, text, place, line

    def __str__(self):
        where = f" ({self.place}, line {self.line})" if self.place else ""
        return f"{self.kind}: {self.text}{where}" if self.text else self.kind + where


class Running(Protocol):
    """A process with student code in it, seen from outside."""

    def read(self, n: int) -> bytes | None:
        """Return the next `n` bytes it sends, None if there will be none."""

    def write(self, data: bytes) -> None:
        """Send to it; OSError if it is gone."""

    def pending(self) -> bool:
        """Say whether there is something to read, where the system can say so."""

    def usage(self) -> Usage | None:
        """Say what it has used so far."""

    def excess(self) -> bool:
        """Say whether it has more threads or files than it may."""

    def kill(self) -> None:
        """Kill it and what it started. May be called from another thread, and more than once."""

    def end(self, wait: bool) -> str:
        """Kill it, after a moment for an end of its own if `wait`, leave nothing behind, and say how it ended.

        That is ``exit`` or the name of a signal; AgentError if it was us who broke.
        """


class RemoteTarget:
    """Runs `chunks`, labelled pieces of source, in another process; a fresh one after each loss.

    All parts run one after another in the same process unless the process sees to it otherwise.

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
    limits : Limits
    """

    def __init__(self, chunks, functions, *, folder=None, name="submission", limits=None):
        self.give(chunks)
        self.wall_limited = False
        self._functions = tuple(functions)
        self._folder, self._name = folder, name
        self._limits = limits or Limits()
        self._case_limit, self._part_limit = self._limits.case, self._limits.part
        self._charged, self._wall = 0.0, 0.0  # used by processes that are gone
        self._skip, self._losses = (), ()
        self._serial = 0
        self._survey = None
        self._running: Running | None = None
        self._interrupted = False
        self._begin()

    def _start(self) -> Running:
        """Start a process. It says ``ready`` before anything else."""
        raise NotImplementedError

    # --- what a Target does -------------------------------------------------------------------------------------------

    def give(self, chunks) -> None:
        """Put other source in the place of the source so far; only before the first `survey` makes a difference."""
        self._chunks = tuple((str(label), str(source)) for label, source in chunks)

    def interrupt(self) -> None:
        """End all work for good. May be called from another thread: whoever waits for an answer gets `Interrupted`."""
        self._interrupted = True
        running = self._running
        if running is not None:
            running.kill()

    def survey(self) -> Survey:
        """Load the source (again after each loss, without the statement in which it was lost)."""
        while self._survey is None:
            at = (0, 0, 0)
            try:
                self._ready()
                names = tuple(self._functions)
                folder = str(self._folder or "")
                began = self._watch.cpu, self._watch.slept
                self._send(("load", self._name, folder, names, self._chunks, self._skip), self._limits.load)
                while answers.is_progress(answer := self._receive(self._limits.load, MANY), len(self._chunks)):
                    at = answer[1:]
                    self._see_to(began, self._limits.part)
                if not answers.is_load_answer(answer, len(names)):
                    raise self._babble()
            except Lost as lost:
                problem = Problem(lost.kind, lost.detail, self._chunks[at[0]][0] if self._chunks else "", at[2])
                self._losses += (problem,)
                self._skip += (at[:2],)
                if len(self._skip) > MAX_SKIPS or self._spent() is not None:
                    self._survey = found(self._chunks, dict.fromkeys(self._functions, "missing"), self._losses)
                continue
            _, states, problems, defined = answer
            failed = tuple(Problem(kind, text, place, line) for _, kind, text, place, line in problems)
            states = dict(zip(self._functions, states, strict=True))
            self._survey = found(self._chunks, states, self._losses + failed, defined)
        return self._survey

    def run(self, part: Part, cases: Sequence[Case], stand_ins: dict) -> Iterator[tuple]:
        """Yield what the agent answers, case by case; compute meanwhile what its stand-ins are asked for."""
        self._loaded()
        request = tuple(_packed(case) for case in cases)
        self._serial += 1
        names = tuple((name, tuple(parameters)) for name, (_, parameters) in stand_ins.items())
        began = self._watch.cpu, self._watch.slept
        self._send(("run", self._serial, part.function, len(part.outputs), request, names), self._case_limit)
        for number, case in enumerate(cases):
            key = (self._serial, number)
            while answers.is_question(answer := self._receive(self._case_limit, key=key), self._serial, stand_ins):
                self._see_to(began, self._part_limit)
                right = right_answer(stand_ins[answer[2]][0], answer[3])
                self._send(("right", right), self._case_limit, key)
            self._see_to(began, self._part_limit)
            if answer[:2] == ("end", self._serial) and answers.is_end(answer):
                raise self._ended_early(answer[2])
            if answer[:2] != (self._serial, number) or not answers.is_result(answer[2:], case.calls, len(part.outputs)):
                raise self._babble()
            yield answer[2]
        if self._receive(self._case_limit)[:2] != ("end", self._serial):
            raise self._babble()

    def call(self, function: str, args: Sequence = (), kwargs: Mapping | None = None):
        """Call one function with plain data, as an instructor's own test does, and return what it returns.

        Plain data: None, bool, int, float, str, bytes, arrays and NumPy scalars; tuples, lists and dicts of those.
        What the function writes into an array that was handed to it is written into that array here, too.

        Raises
        ------
        StudentError
            The function raised an exception, is not there, or returned what is no plain data.
        Lost
            The process died or took too long.
        TypeError
            An argument is no plain data.
        """
        return self._called(function, args, dict(kwargs or {}))

    def look(self, name: str) -> tuple:
        """Return what a name of the student's stands for: ``(True, None)`` for what can be called, else its value.

        Raises
        ------
        StudentError
            There is no such name, or what it stands for is no plain data.
        Lost
            The process died or took too long.
        """
        found = self._called(name, (), None)
        if not (type(found) is tuple and len(found) == 2 and type(found[0]) is bool):
            raise self._babble()
        return found

    def _called(self, function, args, kwargs):
        self._loaded()
        self._serial += 1
        request = ("call", self._serial, function, tuple(args), kwargs)
        agent.pack(request)  # a TypeError here is the caller's
        self._send(request, self._case_limit)
        answer = self._receive(self._case_limit, agent.MAX_ITEMS)
        if answers.is_error(answer[1:]) and answer[0] == self._serial:
            raise StudentError(*answer[2:])
        if not answers.is_value(answer, self._serial, args):
            raise self._babble()
        for number, changed in answer[3]:
            args[number][...] = changed
        return answer[2]

    def run_case(self, function, n_outputs: int, layout: str, calls: tuple) -> tuple:
        """Run a function of ours on a case just as the student's are run."""
        self._go_on()
        with agent.quiet():
            return agent.run_case(function, n_outputs, layout, calls)

    def close(self) -> None:
        """Kill the process and everything it started."""
        self._end(wait=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # --- one process after another ------------------------------------------------------------------------------------

    def _begin(self):
        self._go_on()
        spent = self._spent()
        if spent is not None:
            raise spent
        self._running = self._start()
        self._is_ready = False
        limits = self._limits
        self._watch = Watchdog(self._running, limits, limits.cpu - self._charged, limits.wall - self._wall)

    def _spent(self):
        """Return the loss that a submission ends with whose time is used up, None while some is left."""
        if self._charged > self._limits.cpu:
            return Lost("timeout", f"{self._limits.cpu:g}", in_all=True)
        if self._wall > self._limits.wall:
            self.wall_limited = True
            return Lost("timeout", f"{self._limits.wall:g}", in_all=True)
        return None

    def _go_on(self):
        """Raise `Interrupted` if the work is no longer wanted."""
        if self._interrupted:
            self.close()
            raise Interrupted

    def _ready(self):
        if self._running is None:
            self._begin()
        if not self._is_ready:
            try:
                self._receive(self._limits.start)
            except Lost as lost:
                raise AgentError(f"the process for student code did not start ({lost.kind}, {lost.detail})") from None
            self._watch.ready()
            self._is_ready = True

    def _loaded(self):
        if self._running is None:
            self._survey = None
        self.survey()
        if self._running is None:
            raise self._spent() or Lost("died", "exit")

    def _end(self, wait):
        running, self._running = self._running, None
        if running is None:
            return "exit"
        self._watch.stop()
        try:
            return running.end(wait)
        finally:
            self._charged += self._watch.cpu + self._watch.slept
            self._wall += self._watch.wall

    # --- frames -------------------------------------------------------------------------------------------------------

    def _send(self, request, seconds, key=None):
        self._go_on()
        data = agent.frame(request)
        if self._running.pending() and request[0] != "right":
            raise self._babble()  # nobody asked
        self._watch.begin(seconds, key)
        try:
            self._running.write(data)
        except OSError:
            raise self._lost() from None

    def _receive(self, seconds, items=FEW, key=None):
        self._watch.begin(seconds, key)
        try:
            data = agent.read_frame(self._running)
            if data is None:
                raise self._lost()
            self._watch.end()
            answer = agent.unpack(data, items)
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

    def _ended_early(self, status):
        """The process of one part is gone; the one that holds the source lives on."""
        return Lost("died", answers.ending(status))

    def _lost(self):
        self._go_on()
        watch = self._watch
        ending = self._end(wait=watch.overrun is None)
        overrun = watch.overrun
        if overrun is None or overrun.excess:
            return Lost("died", ending)
        self.wall_limited = self.wall_limited or overrun.wall
        return self._late(f"{overrun.seconds:g}", overrun.in_all)

    def _see_to(self, began, seconds):
        """Raise `Lost` if no single case or statement, but all of a part or of the source took longer."""
        cpu, slept = self._watch.cpu - began[0], self._watch.slept - began[1]
        if cpu + slept > seconds:
            self.wall_limited = self.wall_limited or cpu <= seconds
            self._go_on()
            self._end(wait=False)
            raise self._late(f"{seconds:g}", in_all=True)

    def _late(self, seconds, in_all):
        """Return a time-out. Who has had one is waited for less."""
        self._case_limit = min(self._case_limit, self._limits.after_timeout)
        self._part_limit = min(self._part_limit, self._limits.part_after_timeout)
        return Lost("timeout", seconds, in_all)


_PACKED: dict[int, tuple[Case, agent.Packed]] = {}


def _packed(case: Case) -> agent.Packed:
    """Return what is sent of a case; those that every submission gets are packed once."""
    found = _PACKED.get(id(case))
    if found is None or found[0] is not case:
        if len(_PACKED) > MAX_PACKED:
            _PACKED.clear()
        found = _PACKED[id(case)] = case, agent.Packed(agent.pack((case.layout, case.calls)))
    return found[1]
