"""A Report as the JSON document of the contract, version 1."""

import json
import math

import numpy as np

from ..checking.report import Counterexample, Report
from ..labs.model import Raises
from .words import Words

VERSION = 1


def document(report: Report, lang: str) -> dict:
    """Return the document as plain data."""
    words = Words(report, lang)
    return {
        "version": VERSION,
        "lab": report.lab.name,
        "score": report.score,
        "max_score": report.max_score,
        "functions": {
            result.part.name: {
                "status": result.status,
                "score": result.score,
                "max_score": result.max_score,
                "bonus": result.part.bonus,
                "right_given_right_helpers": result.right_given_right_helpers,
                "misconception": result.misconception,
                "misconceptions": list(result.misconceptions),
                "diagnosis": words.diagnosis(result),
            }
            for result in report.parts
        },
        "root_cause": report.root_cause,
        "checks": [
            {
                "id": check.check.id,
                "function": result.part.name,
                "title": words.title(check),
                "outcome": check.outcome,
                "score": check.score,
                "max_score": check.check.points,
                "bonus": result.part.bonus,
                "message": words.message(check),
                "counterexample": _example(report, check.counterexample),
            }
            for result in report.parts
            for check in result.checks
        ],
    }


def dumps(report: Report, lang: str) -> str:
    """Return the document as text: ASCII only, so that no terminal's encoding can break it."""
    return json.dumps(document(report, lang), indent=1, allow_nan=False)


def _example(report: Report, example: Counterexample | None):
    if example is None:
        return None
    part = report.lab.part(example.case.check.partition(".")[0])
    outputs = [output.name for output in part.outputs]
    return {
        "idea": example.case.strategy,
        "call": example.call + 1,
        "input": dict(zip(part.names(example.args), map(_plain, example.args), strict=True)),
        "expected": _expected(outputs, example.expected),
        "got": None if example.got is None else dict(zip(outputs, map(_plain, example.got), strict=False)),
    }


def _expected(names, expected):
    if isinstance(expected[0], Raises):
        return {"raises": expected[0].error}
    return dict(zip(names, map(_plain, expected), strict=True))


def _plain(value):
    """Return nested lists; numbers that JSON does not know become the words NaN, Infinity and -Infinity."""
    if isinstance(value, np.ndarray):
        if value.size > 4096:
            return f"array of shape {value.shape}"
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return value
