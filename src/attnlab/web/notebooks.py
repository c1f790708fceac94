"""From the file in the editor to the notebook that nbgrader accepts, and from either of them back."""

import ast
import json
from collections.abc import Iterator
from pathlib import PurePath

from .. import reading, submission, texts
from ..labs.model import Lab


def notebook(source: str, lab: Lab, released: str) -> str:
    """Return the released notebook with the student's functions in their cells.

    Cells, their ids and metadata stay as they were handed out. What stands between the functions goes with the next of
    them, what the course has given and nobody has changed is left where it is in the notebook. Of a file that is no
    Python everything goes into the first cell: nothing in it can be told apart.
    """
    data = json.loads(released)
    cells = {cell["metadata"]["attnlab"]["name"]: cell for cell in data["cells"] if _role(cell) == "solution"}
    try:
        placed = dict(_placed(source, stub(lab), tuple(cells)))
    except submission.NOT_PYTHON:
        placed = {next(iter(cells)): source}
    for name, code in placed.items():
        cells[name]["source"] = code.strip("\n").splitlines(keepends=True)
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def stub(lab: Lab) -> str:
    """Return the file as it is at the start."""
    return lab.folder.joinpath("start", f"{lab.name}.py").read_text(encoding="utf-8")


def _role(cell):
    return cell["metadata"].get("attnlab", {}).get("role")


def _placed(source, start, names) -> Iterator[tuple[str, str]]:
    """Yield for each function's cell the code that goes there."""
    given = {ast.dump(node) for _, node, _ in _statements(start)}
    waiting, last, home = [], "", {}
    for text, node, _ in _statements(source):
        own = [name for name in names if name in _bound(node)]
        if not own and (ast.dump(node) in given or _is_docstring(node)):
            continue
        waiting.append(text)
        if own:
            last = own[-1]
            home[last] = [*home.get(last, []), *waiting]
            waiting = []
    home[last or names[0]] = [*home.get(last or names[0], []), *waiting]
    for name, pieces in home.items():
        yield name, "\n\n\n".join(piece.strip("\n") for piece in pieces)


def _statements(source):
    """Yield each statement's text, comments above it included, with the statement and its number."""
    lines = source.splitlines()
    after = 0
    for number, node in enumerate(ast.parse(source).body):
        if node.end_lineno <= after:
            continue  # shares its line with the one before, whose text holds it
        yield "\n".join(lines[after : node.end_lineno]), node, number
        after = node.end_lineno


def _bound(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def _is_docstring(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def source_of(name: str, data: bytes, lab: Lab, lang: str) -> dict:
    """Return the text for the editor of a ``.py`` file or a notebook, or a sentence why there is none."""
    path = PurePath(name)
    try:
        found = reading.contents(reading.decode(data, path), path)
        if isinstance(found, reading.Script):
            return {"ok": True, "text": found.source}
        chunks = submission.own_chunks(found, path)
        return {"ok": True, "text": _joined(chunks, found, stub(lab))}
    except submission.Unreadable as error:
        return {"ok": False, "why": texts.say(lang, error.message, error.facts)}


def _joined(chunks, found, start):
    """Return the student's cells as one file, behind the head of the file as it is at the start."""
    head = [text for text, node, _ in _statements(start) if isinstance(node, (ast.Import, ast.ImportFrom, ast.Expr))]
    setup = {f"cell {c.number}" for c in found.cells if _role_of(c) == ("given", "setup")}
    own = [code.strip("\n") for label, code in chunks if label not in setup]
    return "\n".join(head).strip("\n") + "\n\n\n" + "\n\n\n".join(own) + "\n"


def _role_of(cell):
    ours = cell.metadata.get("attnlab")
    return (ours.get("role"), ours.get("name")) if isinstance(ours, dict) else None
