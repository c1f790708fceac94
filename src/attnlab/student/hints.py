"""`attnlab hint`: three levels for each part, one more each time."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console
from rich.text import Text

from .. import texts
from ..labs.model import Lab
from ..submission import UsageError
from . import workspace


@dataclass(frozen=True)
class Hint:
    """One hint: its level of how many, and whether it could be noted down that it was read."""

    part: str
    level: int
    levels: int
    text: str
    noted: bool


def hints(lab: Lab, lang: str) -> dict[str, list[str]]:
    """Return ``{part: levels}``."""
    table = tomllib.loads(lab.folder.joinpath(f"hints.{lang}.toml").read_text(encoding="utf-8"))
    return {part: entry["levels"] for part, entry in table.items()}


def hint(part: str, path: Path, lab: Lab, lang: str) -> Hint:
    """Return the next hint for `part`, the last one again when there is no next, and remember that it was read.

    Raises
    ------
    UsageError
        If the lab has no such part or there is no such path.
    """
    levels = hints(lab, lang).get(part)
    if levels is None:
        raise UsageError("hint.unknown", name=part, names=", ".join(hints(lab, lang)))
    folder = workspace.folder_of(path)
    memory = workspace.recall(folder, lab.name)
    level = min(memory.hints.get(part, 0) + 1, len(levels))
    noted = workspace.remember(folder, lab.name, replace(memory, hints=memory.hints | {part: level}))
    return Hint(part, level, len(levels), levels[level - 1], noted)


def show(hint: Hint, again: str, lang: str, console: Console) -> None:
    """Print a hint, its level, and `again`, the command for the next one, if there is one."""
    facts = {"part": hint.part, "level": hint.level, "levels": hint.levels}
    console.print(Text(texts.say(lang, "hint.head", facts), "bold"))
    console.print(Text(f"\n{hint.text}\n"))
    if not hint.noted:
        console.print(Text(texts.say(lang, "hint.not_noted"), "yellow"))
    elif hint.level < hint.levels:
        console.print(Text(texts.say(lang, "hint.more", {"command": again}), "dim"))
    else:
        console.print(Text(texts.say(lang, "hint.last"), "dim"))
