"""A Report as Gradescope's ``results.json``. Each check is a test with its points; students see every one.

What is hidden stays so by not being in the Report: of a hidden case it only tells that it failed.
"""

import json

from ..checking.report import Report
from .entries import Entry, entries, overall


def document(report: Report, lang: str, seconds: float = 0.0) -> dict:
    """Return the document as plain data.

    The total is given apart from the tests: points of bonus parts are shown, but add nothing to it, as everywhere else.
    Every format is named ``text``, which Gradescope escapes, so that nothing a student writes is taken for HTML.
    """
    parts = [result.part.name for result in report.parts]
    counts = dict.fromkeys(parts, 0)
    tests = []
    for entry in entries(report, lang):
        counts[entry.part] += 1
        tests.append(_test(entry, f"{parts.index(entry.part) + 1}.{counts[entry.part]}"))
    return {
        "score": report.score,
        "execution_time": round(seconds, 3),
        "output": "\n".join(overall(report, lang)),
        "output_format": "text",
        "test_output_format": "text",
        "test_name_format": "text",
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": tests,
    }


def dumps(report: Report, lang: str, seconds: float = 0.0) -> str:
    """Return the document as text: ASCII only, so that no encoding can break it."""
    return json.dumps(document(report, lang, seconds), indent=1, allow_nan=False) + "\n"


def failed(sentence: str) -> dict:
    """Return the document of a run in which the grader itself could not do its work: no points, and the reason."""
    return {"score": 0.0, "output": sentence, "output_format": "text", "visibility": "visible",
            "stdout_visibility": "hidden", "tests": []}  # fmt: skip


def _test(entry: Entry, number: str) -> dict:
    return {
        "name": entry.name,
        "number": number,
        "score": entry.score,
        "max_score": entry.max_score,
        "status": "passed" if entry.passed else "failed",
        "output": entry.text,
        "tags": ["bonus"] if entry.bonus else [],
        "visibility": "visible",
    }
