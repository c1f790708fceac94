"""The visible cases, made light enough for a page: what the course's own functions give exactly is not sent along.

Most of the file of cases is what is expected, numbers that no compression makes smaller. Where the reference solution
gives the very same (to the last digits but a few), the page lets it compute them once.
"""

import zlib
from dataclasses import replace
from importlib import import_module

import numpy as np

from ..checking import cases as drawn
from ..labs.model import Case, Lab

SMALL = 4  # entries of an array that is sent in any case
CLOSE = 1e-13  # relative; the checks themselves allow 1e-6
COMPUTED = "computed"  # stands for an output that is to be computed


def light(lab: Lab) -> bytes:
    """Return the file of visible cases without the outputs that the reference gives.

    It is not compressed: the archive that it is part of is.
    """
    cases = {id: tuple(_lightened(lab, case) for case in group) for id, group in drawn.visible(lab).items()}
    return zlib.compress(zlib.decompress(drawn.pack(cases, drawn.fingerprint(lab))), 0)


def full(lab: Lab) -> dict[str, tuple[Case, ...]]:
    """Return the visible cases with everything that is expected, from the whole file or from a light one."""
    return {id: tuple(_filled(lab, case) for case in group) for id, group in drawn.visible(lab).items()}


def _lightened(lab, case):
    expected = tuple(
        tuple(map(_unless_given, outputs, given)) if (given := _reference(lab, case, args)) is not None else outputs
        for args, outputs in zip(case.calls, case.expected, strict=True)
    )
    return replace(case, expected=expected)


def _unless_given(wanted, given):
    if not (isinstance(wanted, np.ndarray) and isinstance(given, np.ndarray)) or wanted.size <= SMALL:
        return wanted
    if wanted.dtype != given.dtype or wanted.shape != given.shape or not np.isfinite(wanted).all():
        return wanted
    if wanted.dtype == bool:
        return COMPUTED if (wanted == given).all() else wanted
    off = np.abs(wanted - given).max() <= CLOSE * max(1.0, np.abs(wanted).max())
    return COMPUTED if off and ((wanted == 0) == (given == 0)).all() else wanted


def _filled(lab, case):
    if not any(output is COMPUTED or output == COMPUTED for outputs in case.expected for output in _texts(outputs)):
        return case
    expected = tuple(
        tuple(g if isinstance(w, str) else w for w, g in zip(outputs, _reference(lab, case, args), strict=True))
        if any(_texts(outputs))
        else outputs
        for args, outputs in zip(case.calls, case.expected, strict=True)
    )
    return replace(case, expected=expected)


def _texts(outputs):
    return [output for output in outputs if isinstance(output, str)]


def _reference(lab, case, args):
    """Return what the reference gives for a call, as a tuple; None where it raises or gives something else."""
    part = lab.part(case.check.partition(".")[0])
    function = getattr(import_module(lab.core), part.function)
    try:
        with np.errstate(all="ignore"):
            value = function(*(iter(a) if case.layout == "iterator" and type(a) is list else a for a in args))
    except Exception:
        return None
    outputs = value if isinstance(value, tuple) else (value,)
    return tuple(map(np.asarray, outputs)) if len(outputs) == len(part.outputs) else None
