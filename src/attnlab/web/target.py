"""A target in the page's own Python: the student's file, loaded anew for each part as in a process of its own."""

import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence

import numpy as np

from ..checking.target import Lost, Problem, Survey
from ..labs.model import Case, Part
from ..sandbox import agent
from ..sandbox.agent.loading import load, own_functions
from ..sandbox.right import found, right_answer
from . import threads
from .limits import LIMITS
from .surroundings import Surroundings

MAX_SKIPS = 5  # as in `sandbox.remote`
NARROW = np.dtype(int).itemsize == 4  # NumPy's whole numbers have 32 bits where Python in a browser has


class _LostHere(BaseException):
    """Loading has come to the statement in which an earlier worker was lost."""

    def __init__(self, at, lost):
        super().__init__(at, lost)
        self.at, self.lost = at, lost


class PageTarget:
    """Runs `chunks` in this process.

    Nobody in this process can stop it, so whoever waits outside counts the time. `at` says what begins; when the
    outside ends the process there, it starts the same check again in another one, with that place among the `lost`,
    where the loss is then told without running anything. So a check ends as it does in `RemoteTarget`, whose rules are
    these: after a loss the source is loaded again, without the statement in which loading was lost.

    Parameters
    ----------
    chunks : sequence of (label, source)
    functions : sequence of str
        Names that the lab asks for.
    at : callable
        ``at(what, number)``: ``load`` and the how manieth statement, or a part and the how manieth case.
    lost : dict
        ``{(what, number): (kind, detail)}``: ``timeout`` and seconds, or ``died`` and how.
    """

    def __init__(self, chunks, functions, at: Callable[[str, int], None], lost: dict):
        self._chunks, self._functions = tuple(chunks), tuple(functions)
        self._at, self._lost = at, lost
        self._counts: dict[str, int] = {}
        self._skip, self._losses = (), ()
        self._survey = None
        self._fresh, self._late = False, False
        self._random = None
        self.surroundings = Surroundings()

    def give(self, chunks) -> None:
        """Put other source in the place of the source so far, before the first `survey`."""
        self._chunks = tuple(chunks)

    def function(self, name: str) -> Callable:
        """Return a function of the student's that changes nothing around it; what it raises is an `Exception`."""
        theirs = getattr(self._module, name)

        def function(*args):
            try:
                with self.surroundings.theirs(), agent.quiet():
                    return theirs(*args)
            except Exception:
                raise
            except BaseException as error:
                raise RuntimeError(type(error).__name__) from None

        return function

    def survey(self) -> Survey:
        """Load the source, again and without the statement in which it was lost as long as that happens."""
        while self._survey is None:
            try:
                states, problems, defined = self._load()
            except _LostHere as here:
                label = self._chunks[here.at[0]][0]
                self._losses += (Problem(*here.lost, label, here.at[2]),)
                self._skip += (here.at[:2],)
                if len(self._skip) > MAX_SKIPS:
                    self._survey = found(self._chunks, dict.fromkeys(self._functions, "missing"), self._losses)
                continue
            failed = tuple(Problem(kind, text, place, line) for _, kind, text, place, line in problems)
            self._survey = found(self._chunks, states, self._losses + failed, defined)
        return self._survey

    def run(self, part: Part, cases: Sequence[Case], stand_ins: dict) -> Iterator[tuple]:
        """Yield what comes of each case. All are run before the first is told: ours goes on when theirs is done."""
        results, lost = [], None
        try:
            self._run(part, cases, stand_ins, results)
        except Lost as loss:
            lost, self._fresh = loss, False
        yield from results
        if lost is not None:
            raise lost

    def run_case(self, function, n_outputs: int, layout: str, calls: tuple) -> tuple:
        """Run a function of ours on a case just as the student's are run."""
        with agent.quiet():
            return agent.run_case(function, n_outputs, layout, calls)

    def close(self) -> None:
        """Forget the student's module."""
        sys.modules.pop("submission", None)

    # --- loading ------------------------------------------------------------------------------------------------------

    def _load(self):
        here = None

        def tell(chunk, statement, line):
            nonlocal here
            here = chunk, statement, line
            number = self._count("load")
            if ("load", number) in self._lost:
                raise _LostHere(here, self._lost["load", number])
            self._tell("load", number)

        around = self.surroundings
        around.forget()
        threads.provide(source for _, source in self._chunks)
        with around.theirs():
            if self._random is not None:
                _set_random(self._random)
            try:
                self._module, problems = load("submission", "", self._chunks, self._skip, tell)
            except _LostHere:
                raise
            except BaseException:
                raise _LostHere(here, ("died", "exit")) from None
            states = agent.survey(lambda name: getattr(self._module, name), self._functions)
            defined = own_functions(self._module)
        if around.ended:
            how, around.ended = around.ended, None
            raise _LostHere(here, ("died", how))
        self._random, self._fresh = _get_random(), True
        return dict(zip(self._functions, states, strict=True)), problems, defined

    def _run(self, part, cases, stand_ins, results):
        if not self._fresh:
            try:
                self._load()
            except _LostHere as here:
                raise Lost(*here.lost) from None
        self._fresh = False
        around, module = self.surroundings, self._module
        function = getattr(module, part.function, None)
        helpers = {name: parameters for name, (_, parameters) in stand_ins.items()}

        def ask(name, args):
            with around.ours():
                return right_answer(stand_ins[name][0], args)

        _set_random(self._random)
        late = any(kind == "timeout" for kind, _ in self._lost.values()) or self._late
        limit = LIMITS["part_after_timeout" if late else "part"]
        spent = 0.0
        with around.theirs(), agent.quiet(), agent.stand_ins(module.__dict__, helpers, ask):
            for case in cases:
                if spent > limit:
                    self._late = True
                    raise Lost("timeout", f"{limit:g}", in_all=True)
                number = self._count(part.name)
                if (part.name, number) in self._lost:
                    raise Lost(*self._lost[part.name, number])
                self._tell(part.name, number)
                began = time.monotonic()
                try:
                    result = agent.run_case(function, len(part.outputs), case.layout, case.calls)
                    if NARROW and part.outputs[0].dtype == "integer" and _wrapped(case, result):
                        result = agent.run_case(function, len(part.outputs), case.layout, _wide(case.calls))
                except BaseException:  # of an exception that cannot even be described: there the process would end
                    around.ended = around.ended or "exit"
                if around.ended:
                    how, around.ended = around.ended, None
                    raise Lost("died", how)
                spent += min(time.monotonic() - began, LIMITS["case"])  # the rest of it the machine slept
                results.append(result)

    def _tell(self, what, number):
        if not self.surroundings.builtins_touched:
            self._at(what, number)
            return
        with self.surroundings.ours():
            self._at(what, number)

    def _count(self, what):
        number = self._counts[what] = self._counts.get(what, -1) + 1
        return number


def _wrapped(case, result):
    """Say whether a count may be wrong only because this NumPy has no room for it: refused, or off by some 2^32."""
    for answer, (wanted, *_) in zip(result[:-1], case.expected, strict=False):
        if answer[:2] == ("error", "OverflowError"):
            return True
        if answer[0] == "ok" and answer[1][0][0] in ("array", "int") and isinstance(wanted, int):
            got = answer[1][0][1]
            if np.ndim(got) == 0 and np.asarray(got).dtype.kind in "iu" and int(got) != wanted:
                return (int(got) - wanted) % (1 << 32) == 0
    return False


def _wide(calls):
    """Return calls with their whole numbers as NumPy's of 64 bits, which stay so in whatever is made of them."""
    return tuple(tuple(np.int64(value) if type(value) is int else value for value in args) for args in calls)


def _get_random():
    return np.random.get_state(legacy=False), random.getstate()


def _set_random(state):
    np.random.set_state(state[0])
    random.setstate(state[1])
