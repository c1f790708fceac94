"""What the grader says for a student's process: the right answers of stand-ins, and what a loaded source defines."""

import difflib
import math
import operator
import re
from itertools import zip_longest

import numpy as np

from ..checking.target import Survey

MAX_ENTRIES = 20_000_000  # of any array made on the way to an answer; the cases' own sizes stay far below
MAX_SIDE = 1000  # of a matrix, and of whole numbers
PLAIN = (type(None), bool, int, float, str, np.ndarray, np.generic)
WHOLE = re.compile(r"^ +([\w, ]+) : int\b", re.MULTILINE)  # how a docstring has them


def found(chunks, states: dict[str, str], problems: tuple, defined=()) -> Survey:
    """Say what a source defines, and why a function that it lacks is missing.

    Parameters
    ----------
    chunks : tuple of (label, source)
    states : dict
        For each function of the lab what `agent.survey` says of it.
    problems : tuple of Problem
    defined : iterable of str
        Names of functions that the source itself defines.
    """
    causes = {}
    for function in (f for f, state in states.items() if state == "missing"):
        defines = re.compile(rf"^\s*(?:def|class|async def)\s+{function}\b|^{function}\s*=", re.MULTILINE)
        homes = {label for label, source in chunks if defines.search(source)}
        cause = next((p for p in problems if p.place in homes), None)
        if cause is not None:
            causes[function] = cause
    spare = [name for name in defined if name not in states]
    return Survey(states, problems, causes, {f: close for f in states if (close := _close(f, spare))})


def _close(name, others):
    """Return the one of `others` that looks like `name` misspelt, or None. Case counts for nothing."""
    lowered = {other.lower().replace("_", ""): other for other in others}
    found = difflib.get_close_matches(name.replace("_", ""), lowered, 1, 0.85)
    return lowered[found[0]] if found else None


def right_answer(function, args):
    """Return what a right function gives for arguments that came out of the student's process, None if it refuses them.

    That is ``("value", value)``, or ``("raises", text)`` for a ValueError of its own, which the contract demands. The
    arguments may be anything, so what may come of their sizes is looked at before anything is computed.
    """
    try:
        args = _documented(function, args)
        if not all(isinstance(a, PLAIN) for a in args) or _is_too_much(args):
            return None
        with np.errstate(all="ignore"):
            return "value", function(*map(_quick, args))
    except ValueError as error:
        trace = error.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        own = trace.tb_frame.f_code.co_filename == function.__code__.co_filename
        return ("raises", str(error)) if own else None
    except Exception:
        return None


def _documented(function, args):
    """Return arguments with an int wherever the docstring has one; TypeError for an array or a float in its place."""
    names, whole = function.__code__.co_varnames[: function.__code__.co_argcount], whole_numbers(function)
    return [operator.index(a) if name in whole else a for name, a in zip_longest(names[: len(args)], args)]


def _quick(value):
    """Return an argument in a dtype for which there is a quick matrix product; there is none for float16."""
    return value.astype(np.float32) if getattr(value, "dtype", None) == np.float16 else value


def whole_numbers(function) -> set[str]:
    """Return the names of what a function's docstring calls an int."""
    return {name for names in WHOLE.findall(function.__doc__ or "") for name in names.split(", ")}


def _is_too_much(args) -> bool:
    """Say whether an array that a function of a lab makes on its way may have too many entries.

    Leading axes may broadcast, and one more may move in behind them (that of the heads), so each is as long as its
    neighbours in any of the arrays. Of the last two axes two arrays may contribute one each, or one array both of its
    own and one of them again. A whole number may become an axis, or two.
    """
    arrays = [np.asarray(a) for a in args if isinstance(a, np.ndarray | np.generic)]
    number = _longest(abs(a) for a in args if type(a) is int)
    leads = [a.shape[-3::-1] for a in arrays]  # from the last leading axis to the first
    places = range(max(map(len, leads), default=0) + 1)
    lead = math.prod(_longest(n for axes in leads for n in axes[max(0, p - 1) : p + 2]) for p in places)
    last = _longest(math.prod(max(1, n) for n in a.shape[-2:]) for a in arrays)
    side = _longest((number, *(n for a in arrays for n in a.shape[-2:])))
    return side > MAX_SIDE or lead * last * side * number > MAX_ENTRIES


def _longest(lengths):
    return max((1, *lengths))
