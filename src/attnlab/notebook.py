"""`check` for notebooks and plain Python: shows the result and raises if something is wrong."""

import sys
from collections.abc import Callable

from . import labs, texts
from .checking import cases as drawn
from .checking import engine
from .checking.report import Report
from .emit import as_json, html
from .emit.words import Words, plain
from .sandbox.here import HereTarget

PART_MIME = "application/vnd.attnlab.part+json"  # the part's result as data, for programs that read executed notebooks


class CheckFailed(AssertionError):
    """A check did not pass. Its text is the whole message; a notebook shows the first line of it under the card."""

    def _render_traceback_(self):
        return [str(self).partition("\n")[0]]


def check(part: str, function: Callable, lab: str | None = None, lang: str | None = None) -> None:
    """Check one of your functions and show what came out.

    Parameters
    ----------
    part : str
        What to check, as in ``"softmax"``.
    function : callable
        Your function.
    lab : str, optional
        The lab it belongs to; the first one taught that has such a part, unless given.
    lang : {"en", "ru"}, optional
        Language of the messages; that of your locale by default.

    Raises
    ------
    CheckFailed
        If a check did not pass. The text says which, and why.
    ValueError
        If there is no such lab, part or language.
    """
    lang = language(lang)
    report = judge(part, function, lab or home(part))
    result = report.part(part)
    if result.status == "passed" or in_notebook():  # elsewhere the exception says it all
        show(report, part, lang)
    if result.status != "passed":
        raise CheckFailed(plain(Words(report, lang), result)) from None


def home(part: str) -> str:
    """Return the lab that a part belongs to; ValueError if there is no such part anywhere."""
    found = labs.home(part)
    if found is None:
        names = dict.fromkeys(p.name for lab in labs.LABS for p in labs.get(lab).parts)
        raise ValueError(f"no lab has a part {part!r}; the parts are {', '.join(names)}")
    return found


def judge(part: str, function: Callable, lab: str, cases=None, shrink: bool = True) -> Report:
    """Return the report on one part, on the visible cases unless others are given.

    If it failed, the report also holds the functions it uses, as far as they stand beside it, so that it can be judged
    again with right ones in place of those that are wrong.
    """
    if lab not in labs.LABS:
        raise ValueError(f"there is no lab {lab!r}; the labs are {', '.join(labs.LABS)}")
    found = labs.get(lab)
    names = [p.name for p in found.parts]
    if part not in names:
        raise ValueError(f"lab {lab!r} has no part {part!r}; its parts are {', '.join(names)}")
    cases = drawn.visible(found) if cases is None else cases
    name = found.part(part).function
    report = engine.check(found, HereTarget({name: function}), cases, parts=(part,), shrink=False, explain=False)
    beside = getattr(function, "__globals__", {})
    if report.part(part).status in ("passed", "todo"):
        return report
    used = [p for p in found.part(part).uses if p in cases_by_part(cases) and found.part(p).function in beside]
    functions = {found.part(p).function: beside[found.part(p).function] for p in used} | {name: function}
    return engine.check(found, HereTarget(functions), cases, parts=(*used, part), shrink=shrink)


def cases_by_part(cases) -> set[str]:
    """Return the names of the parts there are cases for."""
    return {check.partition(".")[0] for check in cases}


def language(lang: str | None) -> str:
    """Return `lang`, or the locale's language for None; ValueError if there are no texts in it."""
    if lang is None:
        return texts.default_language()
    if lang not in texts.LANGUAGES:
        raise ValueError(f"there are no texts in {lang!r}; the languages are {', '.join(texts.LANGUAGES)}")
    return lang


def show(report: Report, part: str, lang: str) -> None:
    """Show one part's card in a notebook, plain text elsewhere."""
    if not in_notebook():
        print(plain(Words(report, lang), report.part(part)))
        return
    from IPython.display import display

    display(bundle(report, part, lang), raw=True)


def bundle(report: Report, part: str, lang: str, document: dict | None = None) -> dict:
    """Return one part's card as what a notebook stores of a display: plain text, HTML, and the result as data.

    `document` is the report's, for those who have it already.
    """
    words = Words(report, lang)
    result = report.part(part)
    document = as_json.document(report, lang) if document is None else document
    checks = [entry for entry in document["checks"] if entry["function"] == part]
    checks = [{k: v for k, v in entry.items() if k != "counterexample"} for entry in checks]
    data = {"part": part, **document["functions"][part], "checks": checks}
    return {"text/plain": plain(words, result), "text/html": html.card(words, result), PART_MIME: data}


def in_notebook() -> bool:
    """Say whether an IPython kernel is running, without importing IPython for those who do not use it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")
