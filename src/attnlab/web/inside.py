"""What the page's worker calls: the only code that knows it runs in a browser. Text in, text out.

JavaScript hands over functions for what happens on the way; each may be None. Everything here runs under CPython as
well, which is how it is tested.
"""

import ast
import json
import os
import sys
from functools import cache
from importlib import import_module
from pathlib import Path, PurePath

from .. import labs, submission, texts
from ..checking import engine
from ..checking.report import PartResult, Report
from ..checking.target import Problem
from ..emit import as_json, html
from ..emit.words import Words, plain, points
from .light import full
from .target import PageTarget

EXTRA = ("matplotlib", "scipy")  # packages that are loaded where the reader's code asks for them
DRAWS = ("plots", "pictures")  # modules of ours that need matplotlib
_LAB = labs.LABS[0]


def warm(lab: str) -> str:
    """Import everything and read the cases, so that the first check is fast."""
    global _LAB
    _LAB = lab
    os.environ.setdefault("MPLBACKEND", "Agg")
    _cases(lab)
    return ""


def rehearse(lang: str) -> str:
    """Check the reference once while nobody waits: what Python does for the first time takes three times as long."""
    reference = Path(import_module(labs.get(_LAB).core).__file__)
    check(reference.read_text(encoding="utf-8"), _LAB, lang)
    return ""


@cache
def _cases(lab):
    return full(labs.get(lab))


def needs(source: str, cell: str | None = None) -> str:
    """Return which extra packages a file, and a cell of the lesson, will import: a JSON list."""
    pieces = [source, *(json.loads(cell)[1:] if cell else ())]
    return json.dumps(sorted({name for piece in pieces for name in _imported(piece)}))


def _imported(source):
    try:
        nodes = list(ast.walk(ast.parse(submission.without_magics(source))))
    except submission.NOT_PYTHON:
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            root, last = name.partition(".")[0], name.rpartition(".")[2]
            if root in EXTRA:
                yield root
            elif root == "pylab" or (root == "attnlab" and last in DRAWS):
                yield EXTRA[0]


def run(source: str, lang: str, cell: str | None = None, emit=None) -> str:
    """Run the file, or a cell of the lesson after it; see `running.run`."""
    from . import running

    return json.dumps(running.run(source, f"{_LAB}.py", lang, cell, emit or _nothing))


def check(source: str, lab: str, lang: str, parts: str | None = None, lost: str | None = None, at=None, done=None):
    """Check the file as `attnlab check` does.

    Parameters
    ----------
    source, lab, lang : str
    parts : str, optional
        JSON list of the parts to judge; all of them by default. Those that they use are judged along with them.
    lost : str, optional
        JSON list of ``[what, number, kind, detail]``: where earlier workers were lost in this check.
    at : callable, optional
        ``at(what, number)``: what is going to run; see `PageTarget`.
    done : callable, optional
        Called with JSON of each part's result as soon as it is known.

    Returns
    -------
    str
        JSON: ``report`` as `attnlab check --format json` has it; the parts' cards as ``html`` and ``plain`` text;
        ``problems`` with the file as a whole; ``summary_html``; ``unreadable``; ``clean``, whether the student's code
        left everything else as it was.
    """
    found = labs.get(lab)
    places = {(what, number): (kind, detail) for what, number, kind, detail in json.loads(lost or "[]")}
    asked = json.loads(parts or "null")
    target = PageTarget((), found.functions, at or _nothing, places)
    try:
        chunk = submission.script_chunk(source, PurePath(f"{lab}.py"))
    except submission.Unreadable as error:
        sentence = texts.say(lang, error.message, error.facts)
        report = engine.unreadable(found, Problem("unreadable", sentence, f"{lab}.py", error.facts.get("line", 0)))
    else:
        target.give((chunk,))
        report = _judged(found, target, asked, lang, done or _nothing)
    target.close()
    return json.dumps(_told(report, lang) | {"clean": target.surroundings.clean})


def _judged(lab, target, asked, lang, done):
    def told(result):
        done(json.dumps(_part(Report(lab, tuple(known.values())), result, lang)))

    def note(result):
        known[result.part.name] = result
        told(result)

    known: dict[str, PartResult] = {}
    wanted = None if asked is None else tuple(_with_helpers(lab, asked))
    return engine.check(lab, target, _cases(lab.name), parts=wanted, shrink=False, progress=note)


def _with_helpers(lab, names):
    """Return parts and those that they use: a part is judged again with right helpers where those are wrong."""
    wanted = set(names).union(*(lab.part(name).uses for name in names))
    return [part.name for part in lab.parts if part.name in wanted]


def _part(report, result, lang):
    words = Words(report, lang)
    return {
        "part": result.part.name,
        "status": result.status,
        "score": result.score,
        "max_score": result.max_score,
        "html": html.card(words, result),
        "plain": plain(words, result),
    }


def _told(report: Report, lang: str) -> dict:
    words = Words(report, lang)
    unreadable = any(problem.kind == "unreadable" for problem in report.problems)
    problems = [(report.problems[0].text, report.problems[0].line)] if unreadable else []
    if not unreadable:
        problems = list(zip(words.problems(), (p.line for p in report.problems), strict=True))
    return {
        "report": as_json.document(report, lang),
        "html": {result.part.name: html.card(words, result) for result in report.parts},
        "plain": {result.part.name: plain(words, result) for result in report.parts},
        "problems": [{"html": html.code(sentence), "line": line} for sentence, line in problems],
        "unreadable": unreadable,
        "summary_html": "".join(f"<p>{html.code(sentence)}</p>" for sentence in _summary(words)),
    }


def _summary(words):
    """Return the points and where to start, as the terminal ends with them."""
    report = words.report
    told = words.say("report.points", score=points(report.score), max_score=points(report.max_score))
    bonus = [result for result in report.parts if result.part.bonus]
    if bonus:
        score, most = sum(r.score for r in bonus), sum(r.max_score for r in bonus)
        told += ", " + words.say("report.bonus_points", score=points(score), max_score=points(most))
    yield told
    root = report.root_cause
    yield words.say("report.all_right") if root is None else words.say("report.start_here", part=root)


def explore(source: str, lang: str, settings: str) -> str:
    """Return what the explorer shows, made by the reader's own functions where those are right."""
    from . import exploring

    wanted = json.loads(settings)
    functions, why = (None, "web.explore_reference") if wanted.get("reference") else _own(source)
    if functions is not None:
        try:
            shown = exploring.view(wanted, functions)
            return json.dumps({"whose": "yours", "why_html": texts.say(lang, "web.explore_yours")} | shown)
        except Exception:
            why = "web.explore_failed"
    shown = exploring.view(wanted, exploring.REFERENCE)
    return json.dumps({"whose": "reference", "why_html": html.code(texts.say(lang, why))} | shown)


@cache
def _own(source):
    """Return the reader's functions for the explorer, or None and why: with a cache of the last few files."""
    from . import exploring

    if len(_KEPT) > 8:
        _own.cache_clear()
        _KEPT.clear()
    _KEPT.append(source)
    lab = labs.get(exploring.LAB)
    try:
        chunk = submission.script_chunk(source, PurePath(f"{exploring.LAB}.py"))
    except submission.Unreadable:
        return None, "web.explore_unreadable"
    target = PageTarget((chunk,), lab.functions, _nothing, {})
    report = engine.check(
        lab, target, _cases(lab.name), parts=(*exploring.NEEDED, *exploring.REFERENCE), shrink=False,
        explain=False,
    )  # fmt: skip
    target.close()
    right = {result.part.name for result in report.parts if result.status == "passed"}
    if not set(exploring.NEEDED) <= right:
        return None, "web.explore_wrong"
    own = {name: target.function(name) for name in exploring.REFERENCE if name in right}
    return exploring.REFERENCE | own, ""


_KEPT: list[str] = []


def notebook(source: str, lab: str, lang: str, released: str) -> str:
    """Return JSON with the ``text`` of the `released` notebook with the file's functions in it."""
    from . import notebooks

    return json.dumps({"ok": True, "text": notebooks.notebook(source, labs.get(lab), released)})


def source_of(name: str, data, lab: str, lang: str) -> str:
    """Return JSON with the ``text`` for the editor of a file that is given back, or ``why`` there is none."""
    from . import notebooks

    data = data.to_py() if hasattr(data, "to_py") else data
    data = data.encode() if isinstance(data, str) else bytes(data)
    return json.dumps(notebooks.source_of(name, data, labs.get(lab), lang))


def memory() -> str:
    """Return how many bytes Python's memory has grown to: it never shrinks."""
    buffer = getattr(sys.modules.get("pyodide_js"), "_module", None)
    return str(buffer.HEAP8.length if buffer is not None else 0)


def _nothing(*args):
    return None
