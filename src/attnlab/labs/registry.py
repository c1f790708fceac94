"""How a wrong version is recorded, and how it is turned into the file a student would hand in."""

import ast
import inspect
import re
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from .model import Part


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


class Registry:
    """The wrong versions of one lab, in the order in which they are recorded.

    Parameters
    ----------
    core : str
        Dotted name of the lab's mathematics module.
    parts : sequence of Part
    """

    def __init__(self, core: str, parts: Sequence[Part]):
        self.core = core
        self.function_of = {part.name: part.function for part in parts}
        self.recorded: list[Misconception] = []

    def wrong(
        self, part: str, *faults: str, section: str, needs: tuple[str, ...] = (), variant_of: str | None = None
    ) -> Callable:
        """Record the decorated function as a wrong version of `part`; the function itself is left as it is."""

        def record(function):
            name, replaced = function.__name__, self.function_of[part]
            found = Misconception(name, part, faults, function, replaced, section, needs, variant_of)
            self.recorded.append(found)
            return function

        return record

    def submission_source(self, misconception: Misconception) -> str:
        """Return a student's whole file: the reference solution with the one function replaced by its wrong version."""
        right = {
            name: function
            for name, function in vars(import_module(self.core)).items()
            if inspect.isfunction(function) and function.__module__ == self.core
        }
        functions = right | {misconception.function_name: misconception.function}
        blocks = [_function_source(function, name) for name, function in functions.items()]
        return "\n\n\n".join(["import math\n\nimport numpy as np", *misconception.needs, *blocks]) + "\n"


def _function_source(function: Callable, name: str) -> str:
    """Return the source of `function` without decorators, called `name`."""
    source = textwrap.dedent(inspect.getsource(function))
    first_line = ast.parse(source).body[0].lineno
    source = "\n".join(source.splitlines()[first_line - 1 :])
    return re.sub(rf"^def {function.__name__}\(", f"def {name}(", source)
