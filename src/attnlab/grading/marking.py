"""One notebook of one student: judged in a confined process, marked cell by cell.

Whoever grades, `attnlab grade` or stock nbgrader with our step in place of its Execute, comes through `mark_notebook`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from .. import labs
from ..checking.report import Report
from ..emit import as_json
from ..emit.words import Words, plain
from ..notebook import bundle
from ..sandbox.host import Host
from . import instructor, twice
from .checks import course_check
from .source_text import role, text
from .source_text import settings as noted


@dataclass(frozen=True)
class Rules:
    """What marks depend on besides the submission: the course's secret, its credit for carried work, its language."""

    secret: str
    share: float
    lang: str


@dataclass(frozen=True)
class CellMark:
    """What one check cell came to: its points, and what stands under it.

    `own` is, for a cell that an instructor wrote, the first line of what it said; empty if it said nothing.
    """

    grade_id: str
    points: float
    max_points: float
    outputs: tuple[dict, ...] = ()
    own: str | None = None


@dataclass(frozen=True)
class Marks:
    """One notebook, marked. `reports` holds the report on each lab whose checks it contains."""

    notebook: str
    cells: dict[str, CellMark]
    reports: dict[str, Report] = field(default_factory=dict)
    wall_limited: bool = False

    @property
    def report(self) -> Report | None:
        """The report on the notebook's lab."""
        return next(iter(self.reports.values()), None)


def mark_notebook(source: Mapping, chunks: tuple, rules: Rules, host: Host, notebook: str) -> Marks:
    """Judge a student's own code against the checks of the course's notebook.

    Parameters
    ----------
    source : mapping
        The instructor's notebook, as JSON.
    chunks : tuple of (label, source)
        The student's own code in the order in which it runs.
    rules : Rules
    host : Host
        Where student code runs.
    notebook : str
        Its name.
    """
    cells = {noted(cell)["grade_id"]: cell for cell in source["cells"] if _is_checked(cell)}
    asked = {name: course_check(text(cell)) for name, cell in cells.items()}
    lang = source.get("metadata", {}).get("attnlab", {}).get("lang", rules.lang)
    reports, documents, marked, limited = {}, {}, {}, False

    def start(functions=()):
        return host.target(chunks, functions, name="__main__")

    for lab in dict.fromkeys(c.lab for c in asked.values() if c):
        parts = [c.part for c in asked.values() if c and c.lab == lab]
        reports[lab], waited = _report(labs.get(lab), parts, rules, start)
        limited = limited or waited
    for name, check in asked.items():
        if check is not None:
            at = check.lab, check.lang or lang
            if at not in documents:
                documents[at] = as_json.document(reports[check.lab], at[1])
            points = _points(cells[name])
            gained, outputs = _course_outcome(reports[check.lab], documents[at], check.part, points, at[1])
            marked[name] = CellMark(name, gained, points, outputs)
    if None in asked.values():
        with start() as target:  # of its own: instructors' checks may be hidden ones
            for name in (name for name, check in asked.items() if check is None):
                points = _points(cells[name])
                gained, message = instructor.run(cells[name], source, target, points, lang)
                output = number(gained) if gained else failure("CheckFailed", message)
                marked[name] = CellMark(name, gained, points, (output,), message.partition("\n")[0])
        limited = limited or target.wall_limited
    return Marks(notebook, {name: marked[name] for name in cells}, reports, limited)


def _points(cell):
    return float(noted(cell).get("points", 0)) if noted(cell).get("grade") else 0.0


def _is_checked(cell) -> bool:
    """Say whether a cell of the instructor's notebook is run to see whether the student's code is right."""
    found = role(cell)
    return found == "check" or (found == "given" and course_check(text(cell)) is not None)


def _report(lab, parts, rules, start):
    """Judge the parts asked for and those they use: a fault is told from its cause."""
    used = {helper for part in parts for helper in lab.part(part).uses}
    names = tuple(p.name for p in lab.parts if p.name in used or p.name in parts)
    return twice.judge(lab, partial(start, lab.functions), rules.secret, rules.share, names)


def _course_outcome(report: Report, document: dict, part: str, points: float, lang: str):
    """Return the points for one of our checks and its outputs, which nbgrader reads as it reads those of a kernel."""
    result = report.part(part)
    share = result.score / result.max_score if result.max_score else 0.0
    card = {"output_type": "display_data", "metadata": {}, "data": bundle(report, part, lang, document)}
    if result.score == 0:
        return 0.0, (card, failure("CheckFailed", plain(Words(report, lang), result)))
    return points * share, (card, number(points * share))


def number(points: float) -> dict:
    """Return the output by which a cell tells nbgrader its points."""
    return {
        "output_type": "execute_result", "execution_count": None, "metadata": {}, "data": {"text/plain": repr(points)},
    }  # fmt: skip


def failure(name: str, message: str) -> dict:
    """Return the output by which a cell tells nbgrader that it failed; of a traceback only the first line is kept."""
    line = message.partition("\n")[0]
    return {"output_type": "error", "ename": name, "evalue": message, "traceback": [f"{name}: {line}"]}


def nothing(source: Mapping, sentence: str, name: str) -> Marks:
    """Return the marks of a notebook of which nothing could be made: no points, the sentence why under each check."""
    marked = {}
    for cell in source["cells"]:
        settings = noted(cell)
        if settings.get("grade") or _is_checked(cell):
            outputs = (failure("CheckFailed", sentence),) if cell["cell_type"] == "code" else ()
            marked[settings["grade_id"]] = CellMark(settings["grade_id"], 0.0, _points(cell), outputs)
    return Marks(name, marked)
