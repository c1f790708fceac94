"""What all packagings are made of: a student's functions in the cells of the released notebook."""

import ast
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from attnlab.grading.handed_out import SourceNotebook


@dataclass(frozen=True)
class Work:
    """A student's work: the whole script, the released notebook, and that notebook filled in (JSON data each)."""

    script: str
    released: dict
    notebook: dict

    def fresh(self) -> dict:
        """Return a copy of the filled notebook, to be spoilt."""
        return copy.deepcopy(self.notebook)

    def function(self, name: str) -> str:
        """Return the text of one function."""
        return functions_of(self.script)[name]


@dataclass(frozen=True)
class Packaging:
    """One way of handing in.

    Attributes
    ----------
    name : str
    build : callable
        ``build(work, folder)`` writes what is handed in.
    notes : tuple of str
        Ids of the messages that must be told.
    unreadable : str
        Id of the sentence, if nothing can be made of it; full marks are due otherwise.
    """

    name: str
    build: Callable[[Work, Path], None]
    notes: tuple[str, ...] = ()
    unreadable: str = ""


def registry():
    """Return a list of packagings, and a decorator that adds to it what changes a notebook, or writes files."""
    found: list[Packaging] = []

    def packaging(*notes: str, unreadable: str = "", files: bool = False):
        def add(function):
            build = function if files else lambda work, folder: write(folder, function(work, work.fresh()))
            found.append(Packaging(function.__name__, build, notes, unreadable))
            return function

        return add

    return found, packaging


def write(folder: Path, notebook: dict, name: str = "attention.ipynb") -> None:
    """Write a notebook as Jupyter does."""
    (folder / name).write_text(text(notebook), encoding="utf-8")


def text(notebook: dict) -> str:
    """Return a notebook as Jupyter writes it."""
    written = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
    is_text = written.encode("utf-8", "replace") == written.encode("utf-8", "surrogatepass")
    return written if is_text else json.dumps(notebook, indent=1) + "\n"


def cell(notebook: dict, name: str) -> dict:
    """Return the cell with an id."""
    return next(c for c in notebook["cells"] if c["id"] == name)


def place(notebook: dict, name: str) -> int:
    """Return where the cell with an id stands."""
    return notebook["cells"].index(cell(notebook, name))


def code(source: str, name: str = "", **metadata) -> dict:
    """Return a code cell of a student's own."""
    return {
        "cell_type": "code", "execution_count": None, "id": name or "own", "metadata": metadata, "outputs": [],
        "source": source,
    }  # fmt: skip


def functions_of(script: str) -> dict[str, str]:
    """Return the text of each function of a script."""
    lines = script.split("\n")
    return {
        node.name: "\n".join(lines[node.lineno - 1 : node.end_lineno])
        for node in ast.parse(script).body
        if isinstance(node, ast.FunctionDef)
    }


def released_notebook(source: SourceNotebook) -> dict:
    """Return the notebook that students got: as nbgrader releases it, without hidden tests."""
    released = copy.deepcopy(source.released)
    for document, handed_out in zip(released["cells"], source.cells, strict=True):
        document["source"] = handed_out.shown
    return released


def work_of(script: str, released: dict) -> Work:
    """Fill a student's functions into the cells that ask for them."""
    functions, filled = functions_of(script), copy.deepcopy(released)
    for document in filled["cells"]:
        if document["id"].startswith("stub-"):
            document["source"] = functions[document["id"].removeprefix("stub-")]
    return Work(script, released, filled)
