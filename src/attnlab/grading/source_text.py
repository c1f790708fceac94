"""Reading cells of the course's own notebooks."""

from collections.abc import Mapping


def text(cell: Mapping) -> str:
    """Return the source of a cell, which the format allows to be a list of lines."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(source)


def settings(cell: Mapping) -> Mapping:
    """Return what nbgrader notes of a cell; empty if nothing."""
    return cell.get("metadata", {}).get("nbgrader") or {}


def role(cell: Mapping) -> str:
    """Return ``check`` (graded by running it), ``answer`` (filled in by the student), ``given`` or nothing."""
    found = settings(cell)
    if found.get("solution"):
        return "answer"
    if cell["cell_type"] != "code":
        return ""
    if found.get("grade"):
        return "check"
    return "given" if found.get("locked") else ""
