"""Check cells that instructors wrote themselves: they run here, and call the student's functions across the wall.

The cell is the course's own and may hold hidden tests and expected values, so it never runs where student code does.
"""

import ast
import builtins
import contextlib
import io
import math
import warnings
from collections.abc import Callable, Mapping

import numpy as np

from .. import texts
from ..checking.target import Lost
from ..magics import without_magics
from ..sandbox.remote import StudentError
from .source_text import role, text

FROM_STUDENT = "_of_the_student"  # marks an exception that was raised on the other side


def run(cell: Mapping, source: Mapping, target, points: float, lang: str) -> tuple[float, str]:
    """Run one cell.

    Parameters
    ----------
    cell : mapping
        A check cell of the instructor's notebook `source`.
    target : attnlab.sandbox.host.HostTarget
    points : float
        What it is worth.
    lang : {"en", "ru"}

    Returns
    -------
    points : float
        All of them if nothing is raised, or as many as the last expression says if that is a number.
    message : str
        What was raised; empty if nothing was.
    """
    try:
        tree = ast.parse(without_magics(text(cell)), "check")
    except (SyntaxError, ValueError) as error:
        return 0.0, f"{type(error).__name__}: {error}"
    try:
        with _quiet():
            namespace = _namespace(tree, source, target)
            value = _value(tree, namespace)
    except Lost as lost:
        return 0.0, texts.say(lang, "feedback.own_timeout" if lost.kind == "timeout" else "feedback.own_died")
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        theirs = getattr(error, FROM_STUDENT, None)  # its text may quote a hidden input
        if theirs is not None:
            return 0.0, texts.say(lang, "feedback.own_error", {"type": theirs})
        return 0.0, str(error).strip() or texts.say(lang, "feedback.own_failed")
    if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
        return (min(max(float(value), 0.0), points) if math.isfinite(value) else 0.0), ""
    return points, ""


def _value(tree, namespace):
    """Execute a cell and return the value of its last expression, None if it ends otherwise."""
    *body, last = tree.body or [ast.Pass()]
    if not isinstance(last, ast.Expr):
        body, last = [*body, last], None
    exec(compile(ast.Module(body, []), "check", "exec"), namespace)
    return None if last is None else eval(compile(ast.Expression(last.value), "check", "eval"), namespace)


def _namespace(tree, source, target):
    """Return what a cell finds: given names of the course, and stand-ins for whatever the student's code defines."""
    namespace = {"__name__": "__main__"}
    wanted = _mentioned(tree)
    given = [ast.parse(without_magics(text(c))) for c in source["cells"] if role(c) == "given"]
    needed = []
    for cell in reversed(given):
        if _bound(cell) & wanted:
            needed.append(cell)
            wanted |= _mentioned(cell)
    for name in wanted - set(dir(builtins)):
        with contextlib.suppress(StudentError):  # not of the student's making, or nothing that can come over
            is_function, value = target.look(name)
            namespace[name] = _stand_in(target, name) if is_function else value
    for cell in reversed(needed):
        for statement in cell.body:
            with contextlib.suppress(Exception):  # a demonstration may fail on wrong work, and is no check
                exec(compile(ast.Module([statement], []), "given", "exec"), namespace)
    return namespace


def _mentioned(tree):
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def _bound(tree):
    names = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add(alias or name.split(".")[0])
    return names - {"_"}


def _stand_in(target, name) -> Callable:
    """Return a function that has the student's called, and raises here what was raised there."""

    def function(*args, **kwargs):
        try:
            return target.call(name, args, kwargs)
        except StudentError as error:
            known, raised = getattr(builtins, error.kind, None), error
            if isinstance(known, type) and issubclass(known, Exception):
                with contextlib.suppress(TypeError):  # some want more than a text
                    raised = known(error.text)
            setattr(raised, FROM_STUDENT, error.kind)
            raise raised from None

    function.__name__ = function.__qualname__ = name
    return function


@contextlib.contextmanager
def _quiet():
    with (
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
        np.errstate(all="ignore"),
    ):
        warnings.simplefilter("ignore")
        yield
