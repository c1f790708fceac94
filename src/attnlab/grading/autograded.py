"""What nbgrader finds afterwards: the points and comments of each cell, and the notebook under ``autograded/``."""

import json
from collections.abc import Mapping, Sequence

from .. import texts
from .handed_out import SourceNotebook
from .marking import Marks
from .source_text import settings as _settings
from .source_text import text as cell_text

NO_RESPONSE = "No response."  # nbgrader's own words, which its pages know


def scores(source: SourceNotebook, document: Mapping, marks: Marks, unreadable: bool):
    """Return the points of each graded cell and the comment on each cell to be filled in, as nbgrader gives them.

    Points are None where a person must mark: written answers, and tasks; an answer left as it was released gets 0.

    Returns
    -------
    points : dict of str to (float or None)
    comments : dict of str to (str or None)
    """
    answers = {_settings(cell).get("grade_id"): cell_text(cell) for cell in document["cells"]}
    released = {cell.name: cell.shown for cell in source.cells}
    points, comments = {}, {}
    for cell in source.document["cells"]:
        settings = _settings(cell)
        name = settings.get("grade_id")
        unchanged = answers.get(name, released.get(name)) == released.get(name)
        if settings.get("solution"):
            comments[name] = NO_RESPONSE if unchanged else None
        if settings.get("task"):
            points[name], comments[name] = None, None
        elif settings.get("grade"):
            if name in marks.cells:
                points[name] = marks.cells[name].points
            else:
                points[name] = 0.0 if unreadable or (settings.get("solution") and unchanged) else None
    return points, comments


def text(document: Mapping, marks: Marks, told: Sequence[str], lang: str) -> str:
    """Return the notebook file: the student's work with what the checks said under them, repairs told at the top."""
    filled = dict(document) | {"cells": [_filled(cell, marks) for cell in document["cells"]]}
    told_of = with_notes(filled, told, lang)
    found = json.dumps(told_of, ensure_ascii=False) + "\n"  # on one line: indented it takes ten times as long
    try:
        found.encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which JSON can hold only by its number
        found = json.dumps(told_of) + "\n"
    return found


def with_notes(document: Mapping, told: Sequence[str], lang: str) -> Mapping:
    """Return a notebook with a cell at the top that says what was put in order, if there is anything to say."""
    if not told:
        return document
    cell = {
        "cell_type": "markdown",
        "id": "attnlab-notes",
        "metadata": {"attnlab": {"role": "notes"}},
        "source": "\n".join([f"**{texts.say(lang, 'feedback.repaired')}**", "", *(f"- {line}" for line in told)]),
    }
    return dict(document) | {"cells": [cell, *document["cells"]]}


def _filled(cell, marks):
    if cell["cell_type"] != "code":
        return cell
    mark = marks.cells.get(_settings(cell).get("grade_id"))
    return dict(cell) | {"execution_count": None, "outputs": list(mark.outputs) if mark else []}

