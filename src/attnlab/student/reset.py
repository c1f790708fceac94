"""`attnlab reset`: one function, or the whole file, as it was at the start; the student's version is kept beside it."""

import ast
import io
import json
import re
import time
import tokenize
from dataclasses import dataclass
from pathlib import Path

from .. import submission
from ..files import write_whole
from ..labs.model import Lab
from ..submission import NOT_PYTHON, UsageError
from . import workspace


class NotParsed(Exception):
    """The student's code is not Python at the moment, so no function can be found in it."""

    def __init__(self, line: int):
        super().__init__(line)
        self.line = line


@dataclass(frozen=True)
class Reset:
    """What was done: to which file, where the old one is kept, and whether the function had to be added."""

    path: Path
    backup: Path
    added: bool = False


def reset(function: str | None, path: Path, lab: Lab, lang: str) -> Reset:
    """Put a function back to its stub, or everything if `function` is None.

    Raises
    ------
    UsageError
        If there is no such function or file, or nothing can be written.
    """
    if function is not None and function not in lab.functions:
        raise UsageError("reset.unknown", name=function, names=", ".join(lab.functions))
    path = workspace.find(path, lab)
    try:
        data = path.read_bytes()
        if function is None:
            new, added = workspace.start_file(lab, path.suffix.lower(), lang), False
        elif path.suffix.lower() == ".ipynb":
            new, added = in_notebook(data, path, function, stub(lab, function))
        else:
            text, encoding = _decoded(data, path)
            text, added = in_source(text, function, stub(lab, function))
            new = text.encode(encoding, errors="replace")
        backup = _back_up(path, data)
        write_whole(path, new)
    except NotParsed as problem:
        raise UsageError("reset.syntax", path=path.name, line=problem.line) from None
    except submission.Unreadable as problem:
        raise UsageError(problem.message, **problem.facts) from None
    except OSError as error:
        raise UsageError("reset.denied", path=path, why=error.strerror or type(error).__name__) from None
    return Reset(path, backup, added)


def stub(lab: Lab, function: str) -> str:
    """Return the text of a function as it is at the start, without a newline at its end."""
    text = workspace.start_file(lab, ".py", "en").decode()
    first, last = _span(text, function)
    return "\n".join(text.split("\n")[first:last])


def in_source(text: str, function: str, stub: str) -> tuple[str, bool]:
    """Return `text` with the definition of `function` replaced by `stub`, and whether it had to be added at the end.

    Nothing else changes: line ends, marks and comments stay.
    """
    ends = re.findall(r"\r\n|\r|\n", text)
    newline = max(ends, key=ends.count) if ends else "\n"
    lines = re.findall(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z", text)
    stub = stub.replace("\n", newline)
    span = _span(text, function)
    if span is None:
        gap = "" if not text else newline * 2 if text.endswith(("\n", "\r")) else newline * 3
        return text + gap + stub + newline, True
    first, last = span
    end = re.search(r"[\r\n]*\Z", lines[last - 1])[0]
    return "".join(lines[:first]) + stub + end + "".join(lines[last:]), False


def in_notebook(data: bytes, path: Path, function: str, stub: str) -> tuple[bytes, bool]:
    """Return a notebook with the definition replaced in the cell that holds it, or with a new cell at the end."""
    text = submission.decode(data, path)
    chunks = submission.notebook_chunks(text, path)  # refuses what is no notebook
    notebook = json.loads(text)
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        cells = [c for sheet in notebook["worksheets"] if isinstance(sheet, dict) for c in sheet.get("cells") or ()]
    code = [cell for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    starts = re.compile(rf"^(?:async )?(?:def|class)\s+{function}\b|^{function}\s*=", re.MULTILINE)
    homes = [code[int(label.split()[1]) - 1] for label, source in chunks if starts.search(source)]
    if homes:
        cell = homes[-1]
        key = "source" if "source" in cell else "input"
        source = cell[key]
        listed = isinstance(source, list)
        source = "".join(map(str, source)) if listed else str(source)
        try:
            source = in_source(source, function, stub)[0]
        except NotParsed:  # the backup has it
            source = stub
        cell[key] = source.splitlines(keepends=True) if listed else source
        if "outputs" in cell:
            cell["outputs"] = []
    elif "cells" in notebook:
        cell = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": [], "source": stub}
        if (notebook.get("nbformat"), notebook.get("nbformat_minor", 0)) >= (4, 5):
            cell = {"id": f"reset-{function}"[:50] + f"-{len(cells)}"} | cell
        cells.append(cell)
    else:
        raise UsageError("reset.not_there", path=path.name, name=function)
    return (json.dumps(notebook, indent=1, ensure_ascii=False) + "\n").encode(errors="surrogatepass"), not homes


def _span(text, function):
    """Return the lines ``first:last`` of the definition that counts, the last one, decorators included; or None."""
    source = re.sub(r"\r\n|\r", "\n", text).removeprefix("\ufeff")
    blank = len(source) - len(source.lstrip())
    ahead = source[:blank].count("\n") if source[blank:].startswith("%%") else 0
    try:
        body = ast.parse(submission.without_magics(source)).body
    except NOT_PYTHON as error:
        raise NotParsed(getattr(error, "lineno", None) or 1) from None
    for node in reversed(body):
        if function in _names(node):
            first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
            if any(n is not node and n.lineno <= node.end_lineno and n.end_lineno >= first for n in body):
                return None  # it shares a line with something else: a stub at the end comes after it
            return first - 1 + ahead, node.end_lineno + ahead
    return None


def _names(node):
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {target.id for target in node.targets if isinstance(target, ast.Name)} if len(node.targets) == 1 else ()
    return {node.target.id} if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) else ()


def _decoded(data, path):
    """Return text, line ends and marks included, and the encoding that gives the same bytes back."""
    try:
        declared = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
    except SyntaxError:
        declared = "utf-8"
    wide = ("utf-16-le", "utf-16-be") if b"\0" in data[:4] else ()
    for encoding in (*wide, declared, "utf-8", "cp1251"):
        try:
            text = data.decode(encoding)
            if "\0" not in text and text.encode(encoding) == data:
                return text, encoding
        except (UnicodeError, LookupError):
            continue
    raise submission.Unreadable("read.encoding", path=path.name)


def _back_up(path, data):
    """Keep the old bytes under a name that nobody has yet."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for number in range(1, 1000):
        backup = path.with_name(f"{path.name}.{stamp}{'' if number == 1 else f'-{number}'}.bak")
        made = False
        try:
            with open(backup, "xb") as file:
                made = True
                file.write(data)
            return backup
        except FileExistsError:
            continue
        except BaseException:
            if made:
                backup.unlink(missing_ok=True)  # half a backup looks like a whole one
            raise
    raise FileExistsError(f"{path.name}.{stamp}.bak")
