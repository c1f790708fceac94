"""Gather what one lab is generated from, and refuse what does not fit together."""

import tomllib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from attnlab.authoring.core import Core, read_core
from attnlab.authoring.lesson import Block, BuildError, Lesson, read_lesson, read_regions, require_same_shape
from attnlab.labs.model import Lab

LANGUAGES = ("en", "ru")
SETUP = "setup"  # the given cell that every other one may rely on


@dataclass(frozen=True)
class Sources:
    """Everything one lab's generated files say, read and found consistent.

    Attributes
    ----------
    lab : Lab
        What is asked.
    core : Core
        The mathematics.
    steps : dict
        The TODO lines of each function.
    cells : dict
        The given code cells, by name.
    lessons : dict
        The lesson, by language.
    folder : str
        The lab's folder in the repository, as generated files name it.
    """

    lab: Lab
    core: Core
    steps: dict[str, tuple[str, ...]]
    cells: dict[str, str]
    lessons: dict[str, Lesson]
    folder: str

    @property
    def given(self) -> tuple[str, ...]:
        """Functions of the core that nobody is asked for: helpers, which students get whole."""
        return tuple(name for name in self.core.functions if name not in self.lab.functions)


def read_sources(lab: Lab) -> Sources:
    """Read a lab's core, lessons, given cells and TODO lines.

    Raises
    ------
    BuildError
        A sentence naming file and line when one names what another does not have.
    """
    folder = f"src/{lab.package.replace('.', '/')}"

    def read(reader, name):
        try:
            return reader((lab.folder / name).read_text(encoding="utf-8"), f"{folder}/{name}")
        except FileNotFoundError:
            raise BuildError(f"{folder}/{name} is missing.") from None

    core_text = Path(find_spec(lab.core).origin).read_text(encoding="utf-8")
    core = read_core(core_text, f"src/{lab.core.replace('.', '/')}.py")
    steps = read(_read_steps, "todo.toml")
    cells = read(read_regions, "cells.py")
    lessons = {language: read(read_lesson, f"lesson.{language}.md") for language in LANGUAGES}
    _require_steps(lab, core, steps, f"{folder}/todo.toml")
    _require_imports(core, cells, f"{folder}/cells.py")
    sources = Sources(lab, core, steps, cells, lessons, folder)
    for lesson in lessons.values():
        _require_known(sources, lesson)
        _require_complete(sources, lesson)
    for language in LANGUAGES[1:]:
        require_same_shape(lessons[LANGUAGES[0]], lessons[language])
    unused = set(cells) - {block.name for block in lessons[LANGUAGES[0]].of("cell")}
    if unused:
        raise BuildError(f"{folder}/cells.py: no lesson shows {', '.join(sorted(unused))}.")
    return sources


def _read_steps(text: str, path: str) -> dict[str, tuple[str, ...]]:
    try:
        return {function: tuple(steps) for function, steps in tomllib.loads(text).items()}
    except tomllib.TOMLDecodeError as error:
        raise BuildError(f"{path} is no TOML: {error}.") from None


def _require_steps(lab: Lab, core: Core, steps: dict[str, tuple[str, ...]], path: str) -> None:
    for function in lab.functions:
        if function not in core.functions:
            raise BuildError(f"{core.path}: there is no `{function}`, which lab {lab.name} asks for.")
        if not steps.get(function):
            raise BuildError(f"{path}: there are no steps for `{function}`.")
    for function in steps:
        if function not in lab.functions:
            raise BuildError(f"{path}: lab {lab.name} asks for no `{function}`.")


def _require_imports(core: Core, cells: dict[str, str], path: str) -> None:
    """Refuse a notebook in which the core's own functions could not run."""
    for name in core.imports:
        if SETUP not in cells or name not in cells[SETUP].splitlines():
            raise BuildError(f"{path}: the region {SETUP} lacks `{name}`, which {core.path} needs.")


def _require_known(sources: Sources, lesson: Lesson) -> None:
    lab = sources.lab
    parts = {part.name: part for part in lab.parts}
    known = {"cell": sources.cells, "given": sources.given, "stub": lab.functions, "check": parts}
    noun = {
        "cell": "region of cells.py", "given": f"helper in {sources.core.path}", "stub": "function of the lab",
        "check": "part of the lab",
    }  # fmt: skip
    missing = set(sources.given)
    stubs: set[str] = set()
    for block in lesson.blocks:
        if block.kind == "prose":
            continue
        if block.name not in known[block.kind]:
            raise BuildError(f"{_place(lesson, block)}: {block.name} is no {noun[block.kind]}.")
        if block.kind == "stub":
            stubs.add(block.name)
        missing.discard(block.name if block.kind == "given" else None)
        if block.kind == "check" and parts[block.name].function not in stubs:
            raise BuildError(f"{_place(lesson, block)}: {block.name} is checked before its function has a {{stub}}.")
        if block.kind == "check" and missing:
            helper = min(missing)
            raise BuildError(f"{_place(lesson, block)}: {block.name} is checked before the {{given}} {helper}.")


def _require_complete(sources: Sources, lesson: Lesson) -> None:
    lab = sources.lab
    for kind, names in (("stub", lab.functions), ("check", [part.name for part in lab.parts])):
        for name in names:
            if name not in {block.name for block in lesson.of(kind)}:
                end = lesson.blocks[-1].line
                raise BuildError(f"{lesson.path}, line {end}: the lesson ends without a {{{kind}}} for {name}.")


def _place(lesson: Lesson, block: Block) -> str:
    return f"{lesson.path}, line {block.line}"
