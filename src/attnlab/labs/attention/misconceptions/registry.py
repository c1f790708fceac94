"""How a wrong version is recorded, and how it is turned into the file a student would hand in."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from attnlab import attention as core
from attnlab.labs.attention.checks import PARTS

FUNCTION_OF_PART = {part.name: part.function for part in PARTS}
"""The function in which the fault of each part sits."""


@dataclass(frozen=True)
class Misconception:
    """One wrong version of one function.

    Attributes
    ----------
    id : str
        Unique name, which is also the name of the function.
    part : str
        The part of the lab it gets wrong.
    faults : tuple of str
        Rows of the collection of faults seen in the wild which it stands for; empty for those not listed there.
    function : callable
        The wrong version itself; it calls the right versions of everything else.
    function_name : str
        The function of the lab whose place it takes.
    section : str
        Anchor of the section of the lesson where the idea is taught.
    needs : tuple of str
        Source text of module-level statements it relies on.
    variant_of : str or None
        The wrong version whose idea it shares, with other constants or in another spelling; None for a new idea.
    """

    id: str
    part: str
    faults: tuple[str, ...]
    function: Callable
    function_name: str
    section: str
    needs: tuple[str, ...] = ()
    variant_of: str | None = None

    @property
    def misconception(self) -> str:
        """The id that is named to students: variants of one idea share it."""
        return self.variant_of or self.id

    @property
    def description(self) -> str:
        """One sentence saying what the code does wrong."""
        return inspect.getdoc(self.function) or ""

    @property
    def stateful(self) -> bool:
        """Whether an answer may depend on earlier calls."""
        return bool(self.needs)


RECORDED: list[Misconception] = []


def wrong(
    part: str, *faults: str, section: str, needs: tuple[str, ...] = (), variant_of: str | None = None
) -> Callable:
    """Record the decorated function as a wrong version of `part`; the function itself is left as it is."""

    def record(function):
        name, replaced = function.__name__, FUNCTION_OF_PART[part]
        RECORDED.append(Misconception(name, part, faults, function, replaced, section, needs, variant_of))
        return function

    return record


def _function_source(function: Callable, name: str) -> str:
    """Return the source of `function` without decorators, called `name`."""
    source = textwrap.dedent(inspect.getsource(function))
    first_line = ast.parse(source).body[0].lineno
    source = "\n".join(source.splitlines()[first_line - 1 :])
    return re.sub(rf"^def {function.__name__}\(", f"def {name}(", source)


def submission_source(misconception: Misconception) -> str:
    """Return a student's whole file: the reference solution with the one function replaced by its wrong version."""
    right = {
        name: function
        for name, function in vars(core).items()
        if inspect.isfunction(function) and function.__module__ == core.__name__
    }
    functions = right | {misconception.function_name: misconception.function}
    blocks = [_function_source(function, name) for name, function in functions.items()]
    return "\n\n\n".join(["import math\n\nimport numpy as np", *misconception.needs, *blocks]) + "\n"
