"""What the grader says for a student's process: the right answers of stand-ins, and what a loaded source defines."""

import difflib
import re

import numpy as np

from ..checking.target import Survey

MAX_SIDE = 2000  # of an array that a stand-in is asked about


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
    arguments may be anything, so their size is looked at before anything is computed.
    """
    sizes = [n for a in args for n in (a.shape if hasattr(a, "shape") else [a] if type(a) is int else [])]
    if any(n > MAX_SIDE for n in sizes) or sum(a.size for a in args if hasattr(a, "size")) > MAX_SIDE**2:
        return None
    try:
        with np.errstate(all="ignore"):
            return "value", function(*args)
    except ValueError as error:
        trace = error.__traceback__
        while trace.tb_next is not None:
            trace = trace.tb_next
        own = trace.tb_frame.f_code.co_filename == function.__code__.co_filename
        return ("raises", str(error)) if own else None
    except Exception:
        return None
