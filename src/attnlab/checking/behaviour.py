"""A fingerprint of what a function does: students whose code fails alike share it, whatever it looks like."""

import hashlib

import numpy as np

DIGITS = 13  # binary ones of a number that count: another order of summation changes none of them


def fingerprint(seen) -> str:
    """Return 16 hexadecimal digits for what was answered.

    Parameters
    ----------
    seen : sequence of (Case, result)
        The cases, and what came of them. Only first calls are looked at.
    """
    digest = hashlib.sha256()
    for _, result in seen:
        answer = result[0]
        if answer[0] == "error":
            digest.update(b"error " + answer[1].encode())
        elif answer[1][0] == "count":
            digest.update(repr(answer[1]).encode())
        else:
            for output in answer[1]:
                digest.update(_rounded(output[1]) if output[0] == "array" else repr(_told(output)).encode())
    return digest.hexdigest()[:16]


def _told(output):
    return output[:2] if output[0] == "int" else output[:1]


def _rounded(array):
    with np.errstate(all="ignore"):
        fraction, exponent = np.frexp(array.astype(float))  # any shape
    fraction = np.where(np.isnan(fraction), 2, np.round(fraction * 2**DIGITS))
    tiny = np.abs(array.astype(float)) < 1e-9
    return repr((array.shape, array.dtype == bool)).encode() + np.where(tiny, 0, fraction + 1e5 * exponent).tobytes()
