"""A Report as JUnit XML, as pytest writes it (``--junitxml``, family xunit2), so that CI systems show it alike.

Each check is a test case. A failed bonus check is told as pytest tells an expected failure: it turns nothing red.
"""

import xml.etree.ElementTree as ET

from ..checking.report import Report
from .entries import Entry, entries, overall

SHORT = 500  # characters of a message attribute; the element's text has all of it


def dumps(report: Report, lang: str, seconds: float = 0.0) -> str:
    """Return the document as text.

    Parameters
    ----------
    report : Report
    lang : {"en", "ru"}
        Language of the names and messages.
    seconds : float
        How long judging took. It is not known how it is shared out among the checks, whose times are 0.
    """
    found = entries(report, lang)
    wrong = [entry for entry in found if not entry.passed]
    skipped = sum(entry.bonus for entry in wrong)
    root = ET.Element("testsuites", name="attnlab tests")
    counts = {"errors": 0, "failures": len(wrong) - skipped, "skipped": skipped, "tests": len(found)}
    suite = ET.SubElement(root, "testsuite", {"name": "attnlab"} | {name: str(n) for name, n in counts.items()})
    suite.set("time", f"{seconds:.3f}")
    properties = ET.SubElement(suite, "properties")
    for name, value in (("lab", report.lab.name), ("score", report.score), ("max_score", report.max_score)):
        ET.SubElement(properties, "property", name=name, value=str(value))
    for entry in found:
        suite.append(_case(entry, report.lab.name))
    ET.SubElement(suite, "system-out").text = "\n".join(overall(report, lang)) + "\n"
    return '<?xml version="1.0" encoding="utf-8"?>' + ET.tostring(root, encoding="unicode") + "\n"


def _case(entry: Entry, lab: str) -> ET.Element:
    case = ET.Element("testcase", classname=lab, name=entry.name, time="0.000")
    if not entry.passed:
        message = entry.message if len(entry.message) <= SHORT else entry.message[:SHORT] + "…"
        if entry.bonus:
            told = ET.SubElement(case, "skipped", type="pytest.xfail", message=message)
        else:
            told = ET.SubElement(case, "failure", message=message)
        told.text = entry.text
    return case
