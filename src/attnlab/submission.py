"""From a path to the source text of the student's own cells, repaired where that is possible."""

import codecs
import io
import json
import re
import tokenize
from dataclasses import dataclass
from pathlib import Path

NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)  # what compile() raises, depending on why
SUFFIXES = (".py", ".ipynb")
MAX_BYTES = 200 << 20  # of a file, which may hold outputs
MAX_SOURCE = 2 << 20  # of code: parsing more takes seconds


class UsageError(Exception):
    """A path or option that makes no sense. Holds the id and the facts of a message."""

    def __init__(self, message: str, **facts):
        super().__init__(message)
        self.message, self.facts = message, facts


class Unreadable(Exception):
    """A file that cannot be read or parsed: still a report, with the sentence why. Holds a message id and facts."""

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
        if path.stat().st_size > MAX_BYTES:
            raise Unreadable("read.too_large", path=path.name, megabytes=MAX_BYTES >> 20)
        data = path.read_bytes()
    except OSError as error:
        raise UsageError("read.denied", path=path, why=error.strerror or type(error).__name__) from None
    text = decode(data, path)
    if not text.strip():
        raise Unreadable("read.empty", path=path.name)
    if path.suffix.lower() == ".ipynb":
        return Submission(path, "__main__", notebook_chunks(text, path))
    return Submission(path, "submission", (_file_chunk(text, path),))


def decode(data: bytes, path: Path) -> str:
    """Return text whatever editor saved it: UTF-8 or UTF-16, marked or not, a declared or a Windows one."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
    ):  # fmt: skip
        if data.startswith(mark):
            return _lines(_decoded(data, (encoding,), path))
    if data[1:2] == b"\0":
        return _lines(_decoded(data, ("utf-16-le",), path))
    if data[:1] == b"\0":
        return _lines(_decoded(data, ("utf-16-be",), path))
    declared = ()
    if path.suffix.lower() == ".py":
        try:
            declared = (tokenize.detect_encoding(io.BytesIO(data).readline)[0],)
        except SyntaxError:
            declared = ()
    return _lines(_decoded(data, (*declared, "utf-8", "cp1251"), path))


def _decoded(data, encodings, path):
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    raise Unreadable("read.encoding", path=path.name)


def _lines(text):
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _file_chunk(text, path):
    if "\0" in text:
        raise Unreadable("read.encoding", path=path.name)
    _refuse_too_much(text, path)
    text = without_magics(text)  # a notebook saved as a script keeps them
    try:
        compile(text, path.name, "exec", dont_inherit=True)
    except NOT_PYTHON as error:
        line = getattr(error, "lineno", None) or 1
        why = getattr(error, "msg", None) or type(error).__name__
        raise Unreadable("read.syntax", path=path.name, line=line, text=why) from None
    return path.name, text


def _refuse_too_much(text, path):
    if len(text) > MAX_SOURCE:
        raise Unreadable("read.too_much_code", path=path.name, megabytes=MAX_SOURCE >> 20)


# --- notebooks --------------------------------------------------------------------------------------------------------


def notebook_chunks(text: str, path: Path) -> tuple[tuple[str, str], ...]:
    """Return the student's own cells of a notebook of format 3 or 4, labelled ``cell 1``, ``cell 2``, …"""
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        raise Unreadable("read.not_json", path=path.name, line=getattr(error, "lineno", 1)) from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if cells is None and isinstance(notebook, dict) and isinstance(notebook.get("worksheets"), list):
        sheets = [s for s in notebook["worksheets"] if isinstance(s, dict)]
        cells = [cell for sheet in sheets for cell in sheet.get("cells") or ()]
    if not isinstance(cells, list):
        raise Unreadable("read.not_notebook", path=path.name)
    chunks = []
    for number, cell in enumerate((c for c in cells if isinstance(c, dict) and c.get("cell_type") == "code"), 1):
        source = cell.get("source", cell.get("input", ""))
        source = "".join(map(str, source)) if isinstance(source, list) else str(source)
        if source.strip() and not _is_given(cell):
            chunks.append((f"cell {number}", _lines(source)))
    if not chunks:
        raise Unreadable("read.no_code", path=path.name)
    _refuse_too_much("".join(source for _, source in chunks), path)
    return tuple((label, without_magics(source)) for label, source in chunks)


def _is_given(cell):
    """Say whether a cell is the course's own: a check, or a demonstration that defines nothing students need."""
    metadata = cell.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    ours, nbgrader = metadata.get("attnlab"), metadata.get("nbgrader")
    if isinstance(nbgrader, dict) and nbgrader.get("grade") and not nbgrader.get("solution"):
        return True
    if not isinstance(ours, dict):
        return False
    return ours.get("role") == "check" or (ours.get("role") == "given" and ours.get("name") != "setup")


BODY_MAGICS = ("%%time", "%%timeit", "%%capture", "%%prun", "%%python", "%%python3")
MAGIC_LINE = re.compile(r"^(\s*)(?:%|!|\?)|^(\s*)[\w.]+\?\??\s*$")
MAGIC_VALUE = re.compile(r"^(\s*)([\w, ]+?)\s*=\s*[%!]")


def without_magics(source: str) -> str:
    """Return a cell as plain Python: magics and shell lines do nothing, other lines keep their numbers."""
    if source.lstrip().startswith("%%"):
        head, _, body = source.lstrip().partition("\n")
        if head.split()[0] not in BODY_MAGICS:
            return ""
        source = "#\n" + body
    try:
        compile(source, "cell", "exec", dont_inherit=True)
        return source
    except NOT_PYTHON:
        pass
    lines = []
    for line in source.split("\n"):
        if match := MAGIC_VALUE.match(line):
            line = f"{match[1]}{match[2]} = None"
        elif match := MAGIC_LINE.match(line):
            line = f"{match[1] or match[2] or ''}pass"
        lines.append(line)
    return "\n".join(lines)
