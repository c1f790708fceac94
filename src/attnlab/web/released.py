"""The notebook as nbgrader hands it out, without nbgrader: the student's one with the marks of the course's one."""

import hashlib

from ..authoring.notebooks import notebook_text, source_notebook, student_notebook
from ..authoring.sources import Sources


def released(sources: Sources, lang: str) -> str:
    """Return the text of the released notebook: what nbgrader's own steps make of the course's, as a test shows."""
    notebook, marked = student_notebook(sources, lang), source_notebook(sources, lang)
    for cell, source in zip(notebook.cells, marked.cells, strict=True):
        if "nbgrader" not in source.metadata:
            continue
        marks = source.metadata["nbgrader"]
        cell.metadata["nbgrader"] = {**marks, "cell_type": cell.cell_type, "checksum": _checksum(cell, marks)}
        cell.metadata["deletable"] = False
        if not marks["solution"]:
            cell.metadata["editable"] = False
    return notebook_text(notebook)


def _checksum(cell, marks):
    """Return what nbgrader calls the checksum of a cell."""
    digest = hashlib.md5(usedforsecurity=False)
    told = [cell.source, cell.cell_type, marks["grade"], marks["solution"], marks["locked"], marks["grade_id"]]
    for value in told + ([float(marks["points"])] if marks["grade"] else []):
        digest.update(str(value).encode())
    return digest.hexdigest()
