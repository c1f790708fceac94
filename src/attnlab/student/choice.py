"""Which lab is meant, where the command does not say: by the file's name, by its functions, by what was saved last."""

import re
from contextlib import suppress
from pathlib import Path

from .. import labs, submission
from ..labs.model import Lab
from ..submission import UsageError
from . import workspace

DEFINED = re.compile(r"\bdef\s+(\w+)\s*\(")  # finds them in notebooks, too, and in what is no Python at the moment


def of_path(path: Path) -> str | None:
    """Return the name of the lab that a file or folder is about; None where that cannot be told."""
    if len(labs.LABS) == 1:
        return labs.LABS[0]
    if path.is_dir():
        return of_folder(path)
    stem = path.stem.lower()
    if stem in labs.LABS:
        return stem
    return _by_functions(path) or _only([name for name in labs.LABS if name in stem])


def of_folder(folder: Path) -> str | None:
    """Return the lab whose file in a folder was saved last, of those that were begun; the first one if none was."""
    here = in_folder(folder)
    begun = {file: name for name in here for file in _worked_on(folder, labs.get(name))}
    if not begun:
        return here[0] if here else None
    return begun[max(begun, key=lambda file: file.stat().st_mtime_ns)]


def in_folder(folder: Path) -> list[str]:
    """Return the labs that a folder has a file of, in the order in which they are taught."""
    return [name for name in labs.LABS if workspace.files(folder, name)]


def is_begun(folder: Path, lab: Lab) -> bool:
    """Say whether somebody has worked on a file of the lab."""
    return bool(_worked_on(folder, lab))


def _worked_on(folder, lab):
    return [file for file in workspace.files(folder, lab.name) if not workspace.is_untouched(file, lab)]


def of_function(function: str, path: Path) -> str | None:
    """Return the lab that has a part or function of this name; where several have, the one that `path` is about."""
    having = [
        name for name in labs.LABS
        if function in labs.get(name).functions or function in {part.name for part in labs.get(name).parts}
    ]  # fmt: skip
    if len(having) < 2:
        return having[0] if having else None
    here = of_path(path)
    return here if here in having else having[0]


def _by_functions(path):
    """Return the one lab most of whose functions a file defines."""
    text = ""
    with suppress(OSError, UsageError, submission.Unreadable):
        if path.is_file() and path.stat().st_size <= submission.MAX_BYTES:
            text = submission.decode(path.read_bytes(), path)
    defined = set(DEFINED.findall(text))
    counts = {name: len(defined & set(labs.get(name).functions)) for name in labs.LABS}
    most = max(counts.values())
    return _only([name for name, count in counts.items() if count == most]) if most else None


def _only(names):
    return names[0] if len(names) == 1 else None
