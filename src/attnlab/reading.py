"""From bytes to a script or to the cells of a notebook, whatever program saved them. Knows no lab and no course."""

import codecs
import io
import json
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import PurePath
from typing import BinaryIO

NOT_PYTHON = (SyntaxError, ValueError, RecursionError, MemoryError)  # what compile() raises, depending on why
MAX_BYTES = 512 << 20  # of a file, which may hold outputs
MAX_KEPT = 32 << 20  # of a file without its outputs
MAX_SOURCE = 2 << 20  # of code: parsing more takes seconds
PIECE = 1 << 20  # bytes read at a time
MAX_VALUES = 2_000_000  # brackets and commas of a notebook without large outputs: each may cost a hundred bytes
MAX_CELLS = 5000


class Unreadable(Exception):
    """A file that cannot be read or parsed: still a report, with the sentence why. Holds a message id and facts."""

    def __init__(self, message: str, **facts):
        super().__init__(message)
        self.message, self.facts = message, facts


@dataclass(frozen=True)
class Cell:
    """A cell of a notebook of any format.

    Attributes
    ----------
    kind : str
        ``code``, ``markdown`` or ``raw``.
    source : str
        Its text, lines ending in ``\\n``.
    number : int
        Its place among the code cells, counted from 1; 0 for other kinds.
    metadata : dict
        Empty where the file has none, or something else in its place.
    id : str
        Empty where the file has none.
    attachments : dict
        Pictures pasted into text.
    """

    kind: str
    source: str
    number: int = 0
    metadata: dict = field(default_factory=dict)
    id: str = ""
    attachments: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Notebook:
    """The cells of a notebook, the format it says it has (0 if none), and whether a JSON key occurred twice."""

    cells: tuple[Cell, ...]
    format: int = 4
    repeats_keys: bool = False


@dataclass(frozen=True)
class Script:
    """Python that is no notebook."""

    source: str


# --- bytes to text ----------------------------------------------------------------------------------------------------


def decode(data: bytes, path: PurePath) -> str:
    """Return text whatever editor saved it: UTF-8, UTF-16 or UTF-32, marked or not, a declared or a Windows one."""
    if data.startswith(b"%PDF-"):
        raise Unreadable("read.pdf", path=path.name)
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"),
    ):  # fmt: skip
        if data.startswith(mark):
            return lines(_decoded(data, (encoding,), path))
    # the first character of a script or of JSON is ASCII: where its zero bytes stand tells the width and the order
    for start, zeros, encoding in ((1, 3, "utf-32-le"), (0, 3, "utf-32-be"), (1, 1, "utf-16-le"), (0, 1, "utf-16-be")):
        if data.startswith(bytes(zeros), start):
            return lines(_decoded(data, (encoding,), path))
    declared = ()
    if path.suffix.lower() == ".py":
        try:
            declared = (tokenize.detect_encoding(io.BytesIO(data).readline)[0],)
        except SyntaxError:
            declared = ()
    return lines(_decoded(data, (*declared, "utf-8", "cp1251"), path))


def _decoded(data, encodings, path):
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except (UnicodeDecodeError, LookupError):
            continue
    raise Unreadable("read.encoding", path=path.name)


def lines(text: str) -> str:
    """Return text with Unix line ends, and without a mark of byte order at its start."""
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


# --- large files ------------------------------------------------------------------------------------------------------

# An unescaped quote inside a JSON string would end it, so no string can look like this.
_BULK = re.compile(rb'(?<=[{,\s])"(?:outputs|application/vnd\.jupyter\.widget-state\+json)"\s*:\s*([\[{])')
_PLAIN = re.compile(rb'[^"\[\]{}]++')
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_OVERLAP = 256  # bytes in which a key cut by the end of a piece would stand


def read_bytes(stream: BinaryIO, name: str, size: int | None = None) -> bytes:
    """Return the bytes of a file; of a large notebook all but its outputs, so that they never fill the memory.

    Raises
    ------
    Unreadable
        If there are too many, with or without outputs.
    """
    if size is not None and size > MAX_BYTES:
        raise Unreadable("read.too_large", path=name, megabytes=MAX_BYTES >> 20)
    first = stream.read(PIECE)
    if len(first) < PIECE:
        return first
    kept = bytearray()
    is_json = first.lstrip(codecs.BOM_UTF8 + b" \r\n\t").startswith(b"{")
    rest = iter(lambda: stream.read(PIECE), b"")
    for piece in _without_bulk(first, stream, name) if is_json else chain((first,), rest):
        kept += piece
        if len(kept) > MAX_KEPT:
            raise Unreadable("read.too_large", path=name, megabytes=MAX_KEPT >> 20)
    return bytes(kept)


def _without_bulk(data: bytes, stream: BinaryIO, name: str) -> Iterator[bytes]:
    """Yield what a JSON file holds, with every list of outputs and every widget state left empty.

    Reads on only when the piece at hand is used up, and keeps of it no more than a token: the brackets that are
    open, and whether a string is.
    """
    total, depth, quoted, closing = len(data), 0, False, b""
    at = 0
    while data:
        more = b""
        if not depth:
            found = _BULK.search(data, at)
            if found:
                yield data[at : found.end()]
                at, depth = found.end(), 1
                closing = b"]" if found[1] == b"[" else b"}"
                continue
            cut = max(at, len(data) - _OVERLAP)
        else:
            at, depth, quoted = _skip(data, at, depth, quoted)
            if not depth:
                yield closing
                continue
            cut = at
        more = stream.read(PIECE)
        total += len(more)
        if total > MAX_BYTES:
            raise Unreadable("read.too_large", path=name, megabytes=MAX_BYTES >> 20)
        if not more:
            if not depth:
                yield data[at:]
            return
        if not depth:
            yield data[at:cut]
        data, at = data[cut:] + more, 0


def _skip(data, at, depth, quoted):
    """Pass over JSON until the bracket that closes `depth` levels, or to the end of what there is."""
    end = len(data)
    while at < end:
        if quoted:
            at = _IN_STRING.match(data, at).end()
            if at >= end or data[at] == 0x5C:  # a backslash whose other half is still to come
                return at, depth, True
            quoted, at = False, at + 1
            continue
        plain = _PLAIN.match(data, at)
        if plain:
            at = plain.end()
            continue
        sign = data[at]
        at += 1
        if sign == 0x22:
            quoted = True
        else:
            depth += 1 if sign in b"[{" else -1
            if not depth:
                return at, 0, False
    return at, depth, quoted


# --- text to cells ----------------------------------------------------------------------------------------------------


def contents(text: str, path: PurePath) -> Notebook | Script:
    """Tell a notebook from a script by what it holds; the name only says what was meant.

    Raises
    ------
    Unreadable
        With a sentence: empty, a web page, no JSON, no notebook.
    """
    if not text.strip():
        raise Unreadable("read.empty", path=path.name)
    if text.startswith("version https://git-lfs.github.com/spec/"):
        raise Unreadable("read.lfs_pointer", path=path.name)
    is_json = text.lstrip().startswith(("{", "["))
    if path.suffix.lower() == ".py":
        if is_json:
            try:
                return notebook(text, path)
            except Unreadable:
                pass
        source = text.rstrip("\0\x1a")
        if not source.strip():
            raise Unreadable("read.empty", path=path.name)
        return Script(source)
    if re.match(r"\s*<(?:!doctype|html|\?xml|head|!--)", text, re.IGNORECASE):
        raise Unreadable("read.web_page", path=path.name)
    if not is_json and len(text) <= MAX_SOURCE and re.search(r"^[ \t]*+def \w", text, re.MULTILINE) and _compiles(text):
        return Script(text)
    return notebook(text, path)


def _compiles(text):
    try:
        compile(text, "script", "exec", dont_inherit=True)
    except NOT_PYTHON:
        return False
    return True


def notebook(text: str, path: PurePath) -> Notebook:
    """Return the cells of a notebook of format 1 to 4, or of a later one that still has a list of cells.

    Raises
    ------
    Unreadable
        If it is no JSON (with the line), or JSON but no notebook, or has more in it than anybody writes.
    """
    if sum(map(text.count, "{[,")) > MAX_VALUES:
        raise Unreadable("read.too_many_values", path=path.name)
    repeats = []

    def table(pairs):
        made = dict(pairs)  # of a repeated key the last value counts, as in Jupyter
        if len(made) != len(pairs):
            repeats.append(True)
        return made

    try:
        document = json.loads(text.rstrip("\0\x1a \n\t"), object_pairs_hook=table)
    except (ValueError, RecursionError) as error:  # ValueError: also a number of thousands of digits
        if getattr(error, "msg", "") == "Extra data":
            raise Unreadable("read.more_than_json", path=path.name, line=error.lineno) from None
        raise Unreadable("read.not_json", path=path.name, line=getattr(error, "lineno", 1)) from None
    found = document.get("cells") if isinstance(document, dict) else None
    if found is None and isinstance(document, dict) and isinstance(document.get("worksheets"), list):
        sheets = [s for s in document["worksheets"] if isinstance(s, dict)]
        found = [cell for sheet in sheets if isinstance(sheet.get("cells"), list) for cell in sheet["cells"]]
    if not isinstance(found, list):
        raise Unreadable("read.not_notebook", path=path.name)
    if len(found) > MAX_CELLS:
        raise Unreadable("arrival.too_many_cells", path=path.name, count=len(found))
    cells, number = [], 0
    for cell in found:
        if isinstance(cell, dict):
            kind = _kind(cell)
            number += kind == "code"
            cells.append(_cell(cell, kind, number))
    major = document.get("nbformat")
    major = int(major) if type(major) is float and major.is_integer() else major
    return Notebook(tuple(cells), major if type(major) is int else 0, bool(repeats))


def _kind(cell):
    kind = cell.get("cell_type")
    kind = kind.lower() if isinstance(kind, str) else "code" if "outputs" in cell else "markdown"
    return kind if kind in ("code", "raw") else "raw" if kind == "plaintext" else "markdown"


def _cell(cell, kind, number):
    source = next((cell[key] for key in ("source", "input", "code", "text") if cell.get(key) is not None), "")
    if isinstance(source, list):
        pieces = [piece for piece in source if isinstance(piece, str)]
        # some programs write lines without their ends
        source = ("" if any(piece.endswith(("\n", "\r")) for piece in pieces[:-1]) else "\n").join(pieces)
    source = lines(source).replace("\0", "") if isinstance(source, str) else ""  # no Python can hold a NUL
    if not source.isascii():  # half of a surrogate pair can be neither run nor written
        source = source.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if cell.get("cell_type") == "heading":  # of formats before 4
        level = cell.get("level")
        source = f"{'#' * (level if type(level) is int and 1 <= level <= 6 else 1)} {source}"
    metadata, name, pasted = cell.get("metadata"), cell.get("id"), cell.get("attachments")
    return Cell(
        kind,
        source,
        number if kind == "code" else 0,
        metadata if isinstance(metadata, dict) else {},
        name if isinstance(name, str) else "",
        pasted if isinstance(pasted, dict) else {},
    )
