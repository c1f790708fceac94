"""What may come out of a student's process. Its sender may be anybody, so nothing about it is believed."""

import signal

import numpy as np

from .agent.calling import MAX_TEXT

OUTPUT_KINDS = (("array", np.ndarray, str), ("none",), ("int", int, str), ("big", tuple, str), ("odd", str))


def is_result(items, calls, n_outputs) -> bool:
    """Say whether `items` is one result of `run_case`: the sender may be anybody, so nothing about it is believed."""
    if len(items) != 1 or type(items[0]) is not tuple or not 2 <= len(items[0]) <= len(calls) + 1:
        return False
    *answers, overwritten = items[0]
    if not is_short(items):
        return False
    if overwritten is not None and (type(overwritten) is not int or not 0 <= overwritten < len(answers)):
        return False
    for answer, args in zip(answers, calls, strict=False):
        if _kinds(answer) == ("error", str, str, str, int, tuple):
            if not all(type(name) is str for name in answer[5]):
                return False
            continue
        if not (_kinds(answer) == ("ok", tuple, tuple, int) and answer[1]):
            return False
        if not all(type(i) is int and 0 <= i < len(args) for i in answer[2]):
            return False
        outputs = answer[1]
        if _kinds(outputs) == ("count", int, str) or (outputs == (("none",),) and n_outputs > 1):
            continue
        if len(outputs) != n_outputs or not all(_kinds(o) in OUTPUT_KINDS for o in outputs):
            return False
    return len(answers) == len(calls) or answers[-1][0] == "error"


def _kinds(item):
    """Return the first word of a tuple and the types of what follows."""
    return (item[0] if type(item[0]) is str else None, *map(type, item[1:])) if type(item) is tuple and item else None


def is_question(answer, serial, names) -> bool:
    """Say whether `answer` asks for what one of the stand-ins should give."""
    return _kinds(answer) == ("ask", int, str, tuple) and answer[1] == serial and answer[2] in names


def is_load_answer(answer, n_names) -> bool:
    """Say whether `answer` is what a load ends with."""
    if _kinds(answer) != ("loaded", tuple, tuple, tuple) or len(answer[1]) != n_names or not is_short(answer):
        return False
    if not all(type(name) is str for name in answer[3]):
        return False
    states = all(type(state) is str and state in ("missing", "odd", "stub", "there") for state in answer[1])
    return states and all(_kinds(problem) == ("error", str, str, str, int) for problem in answer[2])


def is_progress(answer, n_chunks) -> bool:
    """Say whether `answer` tells which statement is about to run."""
    return _kinds(answer) == ("at", int, int, int) and 0 <= answer[1] < n_chunks


def is_end(answer) -> bool:
    """Say whether `answer` ends a run before its time: with the exit status of the process it ran in."""
    return _kinds(answer) == ("end", int, int)


def is_error(items) -> bool:
    """Say whether `items` describe an exception."""
    return _kinds(items) == ("error", str, str, str, int) and is_short(items)


def is_short(value) -> bool:
    """Say whether every text within tuples is of a length that may be shown."""
    if type(value) is tuple:
        return all(map(is_short, value))
    return type(value) is not str or len(value) <= MAX_TEXT


def is_value(answer, serial, args) -> bool:
    """Say whether `answer` is what a plain call returned, with the arrays among its arguments that were written to."""
    if not (len(answer) == 4 and answer[0] == serial and answer[1] == "value" and type(answer[3]) is tuple):
        return False
    for item in answer[3]:
        if not (type(item) is tuple and len(item) == 2 and type(item[0]) is int and 0 <= item[0] < len(args)):
            return False
        ours, theirs = args[item[0]], item[1]
        if not (type(ours) is np.ndarray and type(theirs) is np.ndarray and ours.flags.writeable):
            return False
        if (ours.shape, ours.dtype) != (theirs.shape, theirs.dtype):
            return False
    return True


def ending(status: int) -> str:
    """Return ``exit`` or the name of the signal that an exit status tells of."""
    return signal_name(status & 0x7F) if status & 0x7F else "exit"


def signal_name(number: int) -> str:
    """Return a signal's name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
