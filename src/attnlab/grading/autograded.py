"""What nbgrader finds afterwards: the points and comments of each cell, and the notebook under ``autograded/``."""

import json
from collections.abc import Mapping

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


def text(document: Mapping, marks: Marks, notes: tuple[str, ...], unreadable: str | None, lang: str) -> str:
    """Return the notebook file: the student's work with what the checks said under them, repairs told at the top."""
    cells = [_filled(cell, marks) for cell in document["cells"]]
    told = [unreadable] if unreadable else list(notes)
    if told:
        cells.insert(0, _note(texts.say(lang, "feedback.repaired"), told, document))
    return json.dumps(dict(document) | {"cells": cells}, ensure_ascii=False, indent=1) + "\n"


def _filled(cell, marks):
    if cell["cell_type"] != "code":
        return cell
    mark = marks.cells.get(_settings(cell).get("grade_id"))
    return dict(cell) | {"execution_count": None, "outputs": list(mark.outputs) if mark else []}


def _note(title, sentences, document):
    cell = {
        "cell_type": "markdown",
        "metadata": {"attnlab": {"role": "notes"}},
        "source": "\n".join([f"**{title}**", "", *(f"- {sentence}" for sentence in sentences)]),
    }
    if (document.get("nbformat"), document.get("nbformat_minor", 0)) >= (4, 5):
        cell["id"] = "attnlab-notes"
    return cell

