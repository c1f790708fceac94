"""A Report as the result that GitHub Classroom's reporter reads: JSON in base64, with points for each check."""

import base64
import json

from ..checking.report import Report
from .entries import Entry, entries

STATUS = {"passed": "pass", "failed": "fail", "stale": "fail", "todo": "fail", "missing": "fail"}  # the rest: error
ROOM = 90_000  # characters: it travels in an environment variable, and Linux has room for 128 KiB in one
CUTS = (4000, 1000, 250, 60, 0)  # characters of a message, tried in turn until the whole fits


def document(report: Report, lang: str, cut: int | None = None) -> dict:
    """Return the result as plain data, each message cut to so many characters.

    The reporter adds up the points of all tests, so a bonus check is told without points.
    """
    return {
        "version": 1,
        "status": "pass" if report.passed else "fail",
        "max_score": report.max_score,
        "tests": [_test(entry, report.lab.name, cut) for entry in entries(report, lang)],
    }


def dumps(report: Report, lang: str, seconds: float = 0.0) -> str:
    """Return the result as one line of base64."""
    for cut in CUTS:
        data = json.dumps(document(report, lang, cut), ensure_ascii=False, allow_nan=False).encode()
        text = base64.b64encode(data).decode("ascii")
        if len(text) <= ROOM:
            break
    return text + "\n"


def _test(entry: Entry, lab: str, cut: int | None) -> dict:
    text = harmless(entry.text)
    return {
        "name": f"{entry.name} (bonus)" if entry.bonus else entry.name,
        "status": STATUS.get(entry.outcome, "error"),
        "score": 0.0 if entry.bonus else entry.score,
        "max_score": 0.0 if entry.bonus else entry.max_score,
        "message": text if cut is None or len(text) <= cut else text[:cut] + "…",
        "test_code": "",
        "filename": f"{lab}.py",
        "line_no": 0,
        "duration": 0,
    }


def harmless(text: str) -> str:
    """Return text that a workflow's log does not take for commands.

    The reporter prints messages, and tells Classroom the points by printing ``::notice …``: a student's exception that
    says the same would be believed.
    """
    return text.replace("::", ": :").replace("##[", "# #[")
