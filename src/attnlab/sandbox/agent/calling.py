"""Calling a student's function on a case, and describing what came of it."""

import contextlib
import itertools
import warnings

import numpy as np

from .wire import DTYPES

MAX_BYTES = 1 << 26  # larger results are described, not sent
MAX_TEXT = 2000
MAX_NAME = 100
MAX_BITS = 4096  # of a whole number
LABELS = set()  # file names given to compile(): frames of the student's own code

# Student code may replace these names on their modules; the agent keeps its own.
_asarray, _copyto, _empty, _islice = np.asarray, np.copyto, np.empty, itertools.islice
_ndarray, _masked, _generic = np.ndarray, np.ma.MaskedArray, np.generic
_floating, _integer = np.floating, np.integer


def run_case(function, n_outputs, layout, calls):
    """Call `function` once for each tuple of arguments and describe each result at once.

    Returns
    -------
    tuple
        For each call ``("ok", outputs, changed, bytes)`` or ``("error", type, text, place, line, base types)``, where
        an output is ``("array", array, type name)``, ``("none",)``, ``("int", number, type name)`` for one that no
        array holds, ``("big", shape, dtype)`` or ``("odd", type name)``, or outputs is ``("count", n, type name)`` if
        it does not unpack into `n_outputs`; `changed` numbers the inputs that were modified; `bytes` is what the call
        took at its peak, 0 unless `layout` is ``measured``. A last item is the number of an earlier result that a later
        call, or its arguments, overwrote, or None.
    """
    results, kept, previous, overwritten = [], [], None, None
    for args in calls:
        live = _arguments(args, layout, previous)
        previous = live
        try:
            value, peak = _measured(function, live) if layout == "measured" else (function(*live), 0)
            outputs, objects = _outputs(value, n_outputs)
        except BaseException as error:  # whatever a student's function raises, SystemExit included, is its result
            results.append((*describe_error(error), _bases(type(error))))
            if isinstance(error, Exception):
                continue
            break
        changed = tuple(i for i, (a, b) in enumerate(zip(args, live, strict=True)) if is_changed(a, b))
        results.append(("ok", outputs, changed, peak))
        for number, (objects_then, bytes_then) in enumerate(kept):
            if overwritten is None and _snapshot(objects_then) != bytes_then:
                overwritten = number
        kept.append((objects, _snapshot(objects)))
    return (*results, overwritten)


def _measured(function, args):
    """Call a function; return its value, and how many bytes more than before it were in use at some time."""
    import tracemalloc  # NumPy tells it of every array

    traced = tracemalloc.is_tracing()
    if not traced:
        tracemalloc.start()
    try:
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        value = function(*args)
        return value, max(0, int(tracemalloc.get_traced_memory()[1] - before))
    finally:
        if not traced:
            tracemalloc.stop()


def _bases(kind):
    """Return the names of an exception's base types: a student's own kind of ValueError is one, too."""
    return tuple(base.__name__[:MAX_NAME] for base in kind.__mro__[1:10])


def _arguments(args, layout, previous):
    live = []
    for i, value in enumerate(args):
        if layout == "refill" and previous is not None and _can_hold(previous, i, value):
            _copyto(previous[i], value)
            live.append(previous[i])
        else:
            copy = _handed_over(value, layout)
            live.append(iter(copy) if layout == "iterator" and type(copy) is list else copy)
    return live


def _can_hold(previous, i, value):
    """Say whether the array of the call before can be filled with another: it may have been spoilt meanwhile."""
    if type(value) is not _ndarray or i >= len(previous) or type(previous[i]) is not _ndarray:
        return False
    array = previous[i]
    return array.shape == value.shape and array.dtype == value.dtype and array.flags.writeable


def _handed_over(value, layout):
    """Return a copy of an argument for the student's function to have, and perhaps to spoil."""
    if type(value) in (list, tuple):
        return type(value)([_handed_over(item, layout) for item in value])
    if type(value) is not _ndarray:
        return value
    if layout == "strided" and value.ndim:
        wide = _empty((*value.shape[:-1], 2 * value.shape[-1]), value.dtype)
        wide[..., 1::2] = 0
        wide[..., ::2] = value
        return wide[..., ::2]
    copy = value.copy(order="F" if layout == "fortran" else "C")
    if layout == "readonly":
        copy.setflags(write=False)
    return copy


def is_changed(before, after):
    """Say whether an array is no longer what it was, or a list no longer holds what it held."""
    if type(before) is _ndarray:
        return before.shape != after.shape or before.tobytes() != after.tobytes()
    if type(before) not in (list, tuple):
        return before is not after and before != after
    if type(after) is not type(before):  # an iterator over it was handed over
        return False
    return len(before) != len(after) or any(
        type(a) is not type(b) or is_changed(a, b) for a, b in zip(before, after, strict=True)
    )


def _outputs(value, n_outputs):
    if n_outputs == 1:
        return (_describe(value),), (value,)
    if value is None:
        return (("none",),), (value,)
    try:
        items = tuple(_islice(iter(value), n_outputs + 1))
    except TypeError:
        return ("count", 0, type(value).__name__[:MAX_NAME]), (value,)
    if len(items) != n_outputs:
        count = len(items) if len(items) < n_outputs else len(value) if type(value) in (tuple, list) else -1
        return ("count", count, type(value).__name__[:MAX_NAME]), items
    return tuple(_describe(item) for item in items), items


def _snapshot(objects):
    return tuple(
        _asarray(o).tobytes() if isinstance(o, _ndarray) and o.dtype.char in DTYPES and o.nbytes <= MAX_BYTES else None
        for o in objects
    )


def _describe(value):
    if value is None:
        return ("none",)
    name = type(value).__name__[:MAX_NAME]
    if type(value) is int and not -(1 << 63) <= value < 1 << 64:
        return ("int", value, name) if value.bit_length() <= MAX_BITS else ("odd", name)
    if isinstance(value, _masked):
        value = value.filled(0)  # a masked weight is no weight
    try:
        array = _asarray(value)
    except Exception:
        return ("odd", name)
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype.char == "g" or (
        array.dtype.char == "O" and array.size and array.size <= 1 << 20 and _numbers(array)
    ):
        array = array.astype("d")
    if array.dtype.char not in DTYPES:
        return ("odd", f"{name} of {array.dtype}"[:MAX_NAME] if isinstance(value, _ndarray) else name)
    if array.nbytes > MAX_BYTES or array.ndim > 32:
        return ("big", tuple(int(n) for n in array.shape), str(array.dtype)[:MAX_NAME])
    return ("array", array.copy(), name)


def plain(value, depth=0):
    """Return plain data that says the same as `value`; TypeError if there is none."""
    if depth > 6:
        raise TypeError("a result that is nested too deeply cannot be handed to a test")
    if value is None or type(value) in (bool, int, float, str, bytes) or isinstance(value, _generic):
        return value
    if isinstance(value, (tuple, list)):
        return (tuple if isinstance(value, tuple) else list)([plain(item, depth + 1) for item in value])
    if isinstance(value, dict):
        return {plain(key, depth + 1): plain(item, depth + 1) for key, item in value.items()}
    if isinstance(value, _ndarray):
        described = _describe(value)
        if described[0] == "array":
            return described[1]
    raise TypeError(f"a result of type {type(value).__name__} cannot be handed to a test")


def _numbers(array):
    """Say whether an array of Python objects holds nothing but real numbers."""
    return all(isinstance(item, (int, float, _floating, _integer)) for item in array.ravel().tolist())


def describe_error(error):
    """Describe an exception: type, text, and the student's own line it came from."""
    place, line = "", 0
    try:
        trace = error.__traceback__
        while trace is not None:
            file = trace.tb_frame.f_code.co_filename
            if file in LABELS:
                place, line = file, trace.tb_lineno
            trace = trace.tb_next
        text = str(error)[:MAX_TEXT]
    except Exception:
        text = ""
    return ("error", type(error).__name__[:MAX_NAME], text, place, int(line or 0))


@contextlib.contextmanager
def quiet():
    """Warnings are never graded, nor is a wish for exceptions in their place made at the top of a file."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
