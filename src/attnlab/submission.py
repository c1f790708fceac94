"""From a path to the source text of the student's own cells, repaired where that is possible."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

from . import reading
from .magics import Patience, cell_code, compiles, plain_python, without_magics
from .reading import MAX_BYTES, MAX_SOURCE, NOT_PYTHON, Cell, Notebook, Unreadable, decode

__all__ = (
    "MAX_BYTES", "NOT_PYTHON", "SUFFIXES", "Submission", "Unreadable", "UsageError",
    "decode", "find", "notebook_chunks", "read", "without_magics",
)  # fmt: skip
SUFFIXES = (".py", ".ipynb")
MAX_PIECES = 100  # of one function
MAX_FAILURES = 200  # of joining pieces: each costs a compilation


class UsageError(Exception):
    """A path or option that makes no sense. Holds the id and the facts of a message."""

    def __init__(self, message: str, **facts):
        super().__init__(message)
        self.message, self.facts = message, facts


@dataclass(frozen=True)
class Submission:
    """A student's source: labelled chunks (one for a file, one a cell for a notebook), and where it came from."""

    path: Path
    name: str
    chunks: tuple[tuple[str, str], ...]


def find(path: Path, lab: str) -> Path:
    """Return the file that `path` means: itself, or the one for `lab` in a folder."""
    try:
        if path.is_dir():
            found = [path / f"{lab}{suffix}" for suffix in SUFFIXES if (path / f"{lab}{suffix}").is_file()]
            if not found:
                raise UsageError("read.empty_folder", path=path, lab=lab)
            if len(found) > 1:
                raise UsageError("read.several", path=path, names=", ".join(f.name for f in found))
            return found[0]
        if not path.exists():
            raise UsageError("read.no_path", path=path)
    except OSError as error:
        raise UsageError("read.denied", path=path, why=error.strerror or type(error).__name__) from None
    if path.suffix.lower() not in SUFFIXES or not path.is_file():  # a device or a pipe may never end
        raise UsageError("read.not_a_file", path=path)
    return path


def read(path: Path) -> Submission:
    """Read a ``.py`` file or a notebook.

    Raises
    ------
    Unreadable
        With a sentence: not text, not JSON, not a notebook, empty, or a ``.py`` file with a syntax error.
    """
    try:
        with open(path, "rb") as file:
            data = reading.read_bytes(file, path.name, path.stat().st_size)
    except OSError as error:
        raise UsageError("read.denied", path=path, why=error.strerror or type(error).__name__) from None
    found = reading.contents(decode(data, path), path)
    if isinstance(found, Notebook):
        return Submission(path, "__main__", own_chunks(found, path))
    return Submission(path, "submission", (script_chunk(found.source, path),))


def script_chunk(text: str, path: PurePath) -> tuple[str, str]:
    """Return the single chunk of a script, without what a notebook saved as one has left in it.

    Raises
    ------
    Unreadable
        If it is not Python, with the line.
    """
    if "\0" in text:
        raise Unreadable("read.encoding", path=path.name)
    refuse_too_much(text, path)
    text = without_magics(text)
    try:
        compile(text, path.name, "exec", dont_inherit=True)
    except NOT_PYTHON as error:
        line = getattr(error, "lineno", None) or 1
        why = getattr(error, "msg", None) or type(error).__name__
        raise Unreadable("read.syntax", path=path.name, line=line, text=why) from None
    return path.name, text


def refuse_too_much(text: str, path: PurePath) -> None:
    """Raise `Unreadable` for more code than anybody writes."""
    if len(text) > MAX_SOURCE:
        raise Unreadable("read.too_much_code", path=path.name, megabytes=MAX_SOURCE >> 20)


def notebook_chunks(text: str, path: PurePath) -> tuple[tuple[str, str], ...]:
    """Return the student's own cells of a notebook of any format, labelled ``cell 1``, ``cell 2``, …"""
    return own_chunks(reading.notebook(text, path), path)


def own_chunks(notebook: Notebook, path: PurePath) -> tuple[tuple[str, str], ...]:
    """Return what `notebook_chunks` does, of a notebook that has been read."""
    own = [cell for cell in notebook.cells if cell.kind == "code" and cell.source.strip() and not _is_given(cell)]
    if not own:
        raise Unreadable("read.no_code", path=path.name)
    refuse_too_much("".join(cell.source for cell in own), path)
    return tuple((f"cell {own[i].number}", code) for i, code in whole_cells([cell.source for cell in own]))


def whole_cells(sources: Sequence[str]) -> list[tuple[int, str]]:
    """Return cells as plain Python; a function that was cut in two by splitting its cell is whole again.

    Only an indented piece that is no Python by itself is put back behind the ones before it, and only if that makes
    Python of them.

    Returns
    -------
    list of (int, str)
        The number of a cell and its code, together with that of the cells up to the next number.
    """
    whole: list[tuple[int, str]] = []
    indented: list[str] = []  # the pieces behind the last cell that is not indented, or behind the last that was joined
    failures, patience = 0, Patience()
    for number, source in enumerate(sources):
        code = cell_code(source, patience)
        if not whole or source.lstrip("\n")[:1] not in (" ", "\t") or len(indented) == MAX_PIECES:
            indented = []
        elif failures == MAX_FAILURES or compiles(code):
            indented.append(source)
        else:
            start = len(whole) - 1 - len(indented)
            together = "\n".join([whole[start][1], *indented, source])
            together, is_python = plain_python(together, patience) if patience.lasts(together) else ("", False)
            if is_python:
                whole[start:] = [(whole[start][0], together)]
                indented = []
                continue
            failures += 1
            indented.append(source)
        whole.append((number, code))
    return whole


def _is_given(cell: Cell):
    """Say whether a cell is the course's own: a check, or a demonstration that defines nothing students need."""
    ours, nbgrader = cell.metadata.get("attnlab"), cell.metadata.get("nbgrader")
    if isinstance(nbgrader, dict) and nbgrader.get("grade") and not nbgrader.get("solution"):
        return True
    if not isinstance(ours, dict):
        return False
    return ours.get("role") == "check" or (ours.get("role") == "given" and ours.get("name") != "setup")
