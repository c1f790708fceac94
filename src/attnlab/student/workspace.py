"""A student's folder: what is put there at the start, which file in it is meant, and what is remembered beside it."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .. import submission, texts
from ..files import write_whole
from ..labs.model import Lab
from ..submission import UsageError
from .advice import command

MEMORY = ".attnlab.json"
CONFTEST = '''"""Makes `pytest` show each check as one test. A notebook checks itself, or see `attnlab check`."""

from attnlab.pytest_plugin import pytest_collect_file  # noqa: F401

collect_ignore_glob = ["*.ipynb"]
'''


# --- the folder at the start ------------------------------------------------------------------------------------------


def start_file(lab: Lab, suffix: str, lang: str) -> bytes:
    """Return the untouched ``.py`` file or notebook of a lab."""
    name = f"{lab.name}.py" if suffix == ".py" else f"{lang}.ipynb"
    return lab.folder.joinpath("start", name).read_bytes()


def start(folder: Path, course: Sequence[Lab], lang: str) -> tuple[list[str], list[str]]:
    """Make a working folder with the files of some labs; files that are there stay as they are.

    Returns
    -------
    written, kept : list of str
        Names of the files written, and of those that were there already.

    Raises
    ------
    UsageError
        If the folder cannot be made or written to.
    """
    note = resources.files(__package__).joinpath(f"agents.{lang}.md").read_bytes()
    files = {f"{lab.name}{suffix}": start_file(lab, suffix, lang) for lab in course for suffix in submission.SUFFIXES}
    files |= {"conftest.py": CONFTEST.encode(), "AGENTS.md": note}
    kept = [name for name in files if os.path.lexists(folder / name)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in files.keys() - set(kept):
            write_whole(folder / name, files[name])
    except FileExistsError:
        raise UsageError("start.not_a_folder", folder=folder) from None
    except OSError as error:
        raise UsageError("start.denied", folder=folder, why=error.strerror or type(error).__name__) from None
    return [name for name in files if name not in kept], kept


def show(written: list[str], kept: list[str], folder: Path, lab: Lab, lang: str, console: Console) -> None:
    """Print what was made, what was left alone, and how to go on, with `lab` first."""
    console.print(Text(texts.say(lang, "start.written", {"folder": folder, "names": ", ".join(written)})))
    if kept:
        console.print(Text(texts.say(lang, "start.kept", {"names": ", ".join(kept)})))
    files = {"file": f"{lab.name}.py", "notebook": f"{lab.name}.ipynb"}
    console.print(Text(texts.say(lang, "start.next", files)))
    following = (command("cd", folder), command("attnlab", "status", lang=lang))
    console.print(Text("".join(f"  {line}\n" for line in following).rstrip()), soft_wrap=True)


# --- which file is meant ----------------------------------------------------------------------------------------------


def find(path: Path, lab: Lab) -> Path:
    """Return the file that `path` means; of a script and a notebook side by side the one that was worked on."""
    try:
        return submission.find(path, lab.name)
    except UsageError as error:
        if error.message != "read.several":
            raise
        both = files(path, lab.name)
        changed = [file for file in both if not is_untouched(file, lab)]
        if len(changed) > 1:
            raise
        return changed[0] if changed else both[0]


def files(folder: Path, lab: str) -> list[Path]:
    """Return the files of a lab that a folder has: the script, the notebook, both, or none."""
    return [path for suffix in submission.SUFFIXES if (path := folder / f"{lab}{suffix}").is_file()]


def is_untouched(path: Path, lab: Lab) -> bool:
    """Say whether a file holds the code it held at the start, whatever became of outputs and metadata."""
    try:
        code = [source.strip() for _, source in submission.read(path).chunks]
    except (submission.Unreadable, UsageError):
        return False
    for lang in ("en", "ru"):
        text = submission.decode(start_file(lab, path.suffix, lang), path)
        chunks = submission.notebook_chunks(text, path) if path.suffix == ".ipynb" else (("", text),)
        if code == [source.strip() for _, source in chunks]:
            return True
    return False


def folder_of(path: Path) -> Path:
    """Return the folder that `path` is or lies in; UsageError if there is no such path."""
    try:
        if path.is_dir():
            return path
        if path.exists():
            return path.parent
    except OSError as error:
        raise UsageError("read.denied", path=path, why=error.strerror or type(error).__name__) from None
    raise UsageError("read.no_path", path=path)


# --- what is remembered -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Memory:
    """How many hints were read for each part, and what each part's status was the last time."""

    hints: dict[str, int] = field(default_factory=dict)
    results: dict[str, str] = field(default_factory=dict)


def recall(folder: Path, lab: str) -> Memory:
    """Return what is remembered in `folder`; nothing if the file is missing or spoilt."""
    table = _table(_read(folder).get("labs")).get(lab)
    hints, results = _table(_table(table).get("hints")), _table(_table(table).get("results"))
    return Memory(
        {name: n for name, n in hints.items() if type(n) is int and n > 0},
        {name: status for name, status in results.items() if isinstance(status, str)},
    )


def remember(folder: Path, lab: str, memory: Memory) -> bool:
    """Keep `memory` in `folder`, other labs' beside it; False if the folder cannot be written to."""
    labs = _table(_read(folder).get("labs")) | {lab: {"hints": memory.hints, "results": memory.results}}
    document = json.dumps({"version": 1, "labs": labs}, indent=1, ensure_ascii=False) + "\n"
    try:
        write_whole(folder / MEMORY, document.encode())
    except OSError:
        return False
    return True


def _read(folder):
    try:
        return _table(json.loads((folder / MEMORY).read_text(encoding="utf-8")))
    except (OSError, ValueError, RecursionError):
        return {}


def _table(value):
    return value if isinstance(value, dict) else {}
