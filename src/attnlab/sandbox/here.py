"""A target in this very process: functions that a notebook hands over. For students' own checks and stock nbgrader."""

import contextlib
import io
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..checking.target import Survey
from ..labs.model import Case, Part
from . import agent


class _Nowhere(io.TextIOBase):
    """Takes what student code prints; nbgrader would give 0 for a single character on stderr."""

    def write(self, text):
        return len(text)


def _answer(stand_ins):
    return lambda name, args: ("value", stand_ins[name][0](*args))


class HereTarget:
    """Calls `functions` directly. There is no time limit: the reader can interrupt the cell."""

    def __init__(self, functions: Mapping[str, Callable]):
        self._functions = dict(functions)

    def survey(self) -> Survey:
        """Say what was handed over."""
        names = tuple(self._functions)
        return Survey(dict(zip(names, agent.survey(self._functions.__getitem__, names), strict=True)))

    def run(self, part: Part, cases: Sequence[Case], stand_ins: dict) -> Iterator[tuple]:
        """Call the function on each case, prints and warnings aside."""
        function = self._functions[part.function]
        namespace = getattr(function, "__globals__", None)
        if stand_ins and namespace is None:
            stand_ins = {}
        agent.LABELS.add(getattr(getattr(function, "__code__", None), "co_filename", ""))
        for case in cases:
            with (
                agent.quiet(),
                contextlib.redirect_stdout(_Nowhere()),
                contextlib.redirect_stderr(_Nowhere()),
                agent.stand_ins(namespace, {n: p for n, (_, p) in stand_ins.items()}, _answer(stand_ins)),
            ):
                result = agent.run_case(function, len(part.outputs), case.layout, case.calls)
            for answer in result[:-1]:
                if answer[0] == "error" and answer[1] == "KeyboardInterrupt":
                    raise KeyboardInterrupt
            yield (*((*a[:3], "cell", *a[4:]) if a[0] == "error" and a[3] else a for a in result[:-1]), result[-1])

    def run_case(self, function, n_outputs: int, layout: str, calls: tuple) -> tuple:
        """Run a function of ours on a case just as the student's are run."""
        with agent.quiet():
            return agent.run_case(function, n_outputs, layout, calls)

    def close(self) -> None:
        """Nothing to do."""
