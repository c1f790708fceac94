"""What a failed part may be compared with: the reference with one or two known wrong versions put into it."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import FunctionType

from ..labs import merging
from ..labs.model import Lab, Part


@dataclass(frozen=True)
class Suspect:
    """A known wrong version: the idea it stands for, and which function of the lab it replaces."""

    idea: str
    part: str
    name: str
    function: Callable


@cache
def of_part(lab: Lab, part: str) -> tuple[Suspect, ...]:
    """Return the wrong versions of one part, except those whose answer depends on earlier calls."""
    return tuple(
        Suspect(m.misconception, part, m.function_name, m.function)
        for m in lab.misconceptions()
        if m.part == part and not m.stateful
    )


def of_helpers(lab: Lab, part: Part) -> tuple[Suspect, ...]:
    """Return the wrong versions of the functions a part uses: the student may have written them out in it."""
    helpers = (name for name in part.uses if lab.part(name).function != part.function)
    return tuple(suspect for name in helpers for suspect in of_part(lab, name))


def put_in(lab: Lab, part: Part, *suspects: Suspect) -> Callable | None:
    """Return the function of a part with one or two faults put into the reference; None where they do not go together.

    Two wrong versions of the same function are merged; those of different functions meet by calling each other.
    """
    core = import_module(lab.core)
    functions = {name: getattr(core, name) for name in lab.functions} | {s.name: s.function for s in suspects}
    if len({s.name for s in suspects}) < len(suspects):
        merged = _merged(lab, *suspects)
        if merged is None:
            return None
        functions[merged.__name__] = merged
    names = {name: dict(function.__globals__) for name, function in functions.items()}  # its own, and all of these
    copies = {n: FunctionType(f.__code__, names[n], n, f.__defaults__) for n, f in functions.items()}
    for namespace in names.values():
        namespace.update(copies)
    return copies[part.function]


@cache
def _merged(lab, one, other):
    """Return a function with the faults of two wrong versions of it, None where their edits get in each other's way."""
    plain = getattr(lab.plain(), one.name, None)
    try:
        body = plain and merging.merge(merging.lines_of(plain), _edits(lab, one), _edits(lab, other))
    except OSError:  # installed without sources
        return None
    if not body:
        return None
    head = f"def {one.name}{inspect.signature(plain)}:\n"
    namespace = one.function.__globals__ | other.function.__globals__
    try:
        exec(compile(head + body, "<two wrong versions>", "exec"), namespace)
    except SyntaxError:  # one took away the `if` under which the other one writes
        return None
    return namespace[one.name]


@cache
def _edits(lab, suspect):
    return merging.edits(merging.lines_of(getattr(lab.plain(), suspect.name)), merging.lines_of(suspect.function))
