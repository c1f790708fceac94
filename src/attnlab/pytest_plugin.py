"""`pytest exercises`: each check is one readable test against the student's file.

A folder of exercises takes part with a ``conftest.py`` that imports `pytest_collect_file` from here.
"""

import pytest

from . import judge, labs, submission, texts
from .emit.words import Words


def pytest_collect_file(file_path, parent):
    """Collect ``<lab>.py`` and ``<lab>.ipynb`` as a file of checks."""
    if file_path.stem in labs.LABS and file_path.suffix in submission.SUFFIXES:
        return LabFile.from_parent(parent, path=file_path)
    return None


class LabFile(pytest.File):
    """A student's file; judged once, however many of its checks are run."""

    _report = None

    def collect(self):
        """One item a check, named by what it states."""
        lab, lang = labs.get(self.path.stem), texts.default_language()
        for check in lab.checks:
            title = texts.say(lang, f"title.{check.id}", lab=lab.name)
            yield CheckItem.from_parent(self, name=f"{check.part}: {title}", check=check, lang=lang)

    def report(self, lang):
        """Return the report on this file."""
        if self._report is None:
            self._report = judge.check_path(self.path, labs.get(self.path.stem), lang)
        return self._report


class CheckItem(pytest.Item):
    """One check."""

    def __init__(self, *, check, lang, **kwargs):
        super().__init__(**kwargs)
        self._check, self._lang = check, lang

    def runtest(self):
        """Fail with the check's own words."""
        report = self.parent.report(self._lang)
        result = next(r for r in report.part(self._check.part).checks if r.check.id == self._check.id)
        if result.outcome != "passed":
            raise NotPassed(Words(report, self._lang), result)

    def repr_failure(self, excinfo, style=None):
        """Return the message and the smallest example; no traceback of ours."""
        if isinstance(excinfo.value, NotPassed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self):
        """Return where the check stands: its name is the headline of a failure."""
        return self.path, None, self.name


class NotPassed(Exception):
    """A check did not pass."""

    def __init__(self, words, result):
        lines = [words.message(result)]
        if result.counterexample is not None:
            lines += ["", *words.lines(result.counterexample)]
        super().__init__("\n".join(lines))
