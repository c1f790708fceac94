"""Read a lesson: Markdown in which code is named, never pasted."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import zip_longest

HEADING = re.compile(r"(?P<text>#{1,6} +.*?)(?: *\{#(?P<anchor>[^}]*)\})? *")
ANCHOR = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
FENCE = re.compile(r" {0,3}(?P<marks>`{3,}|~{3,})(?P<info>.*)")
DIRECTIVE = re.compile(r"\{(?P<kind>.*)\} *(?P<name>.*?) *")
DIRECTIVES = ("cell", "given", "stub", "check")


class BuildError(Exception):
    """The sources contradict each other; the message is a sentence that says where."""


@dataclass(frozen=True)
class Block:
    """One cell to be: a stretch of prose, or a directive that names code.

    Attributes
    ----------
    kind : str
        ``prose``, ``cell``, ``given`` (a function of the core that nobody is asked for), ``stub`` or ``check``.
    name : str
        The argument of a directive. For prose the anchor of its heading, with ``-2``, ``-3`` … behind it where it
        continues after a directive; ``title`` before the first heading.
    text : str
        The Markdown of prose, without anchors; empty for directives.
    line : int
        Where it starts in the lesson, counted from 1.
    """

    kind: str
    name: str
    text: str
    line: int


@dataclass(frozen=True)
class Lesson:
    """A lesson in one language: its file, for messages, and its blocks in reading order."""

    path: str
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """What stands behind the ``#`` of the first line."""
        return self.blocks[0].text.splitlines()[0].removeprefix("#").strip()

    def of(self, kind: str) -> tuple[Block, ...]:
        """Return the blocks of one kind, in order."""
        return tuple(block for block in self.blocks if block.kind == kind)


def read_lesson(text: str, path: str) -> Lesson:
    """Split Markdown at its headings and directives.

    Parameters
    ----------
    text : str
        The lesson. Its first line is ``# Title``; every deeper heading ends in ``{#anchor}``.
    path : str
        The file it came from, for messages.

    Raises
    ------
    BuildError
        For a heading without anchor, an anchor or directive used twice, an unknown directive, an open fence.
    """
    blocks: list[Block] = []
    heading, continued = "title", 1
    for token in _tokens(text, path):
        if token.kind == "heading":
            heading, continued = token.name, 1
            blocks.append(replace(token, kind="prose"))
        elif token.kind in DIRECTIVES:
            blocks.append(token)
        elif blocks[-1].kind == "prose":
            blocks[-1] = replace(blocks[-1], text=f"{blocks[-1].text}\n{token.text}")
        elif token.text.strip():
            continued += 1
            blocks.append(replace(token, name=f"{heading}-{continued}"))
    blocks = [replace(block, text=block.text.rstrip()) for block in blocks]
    _claim_once(blocks, path)
    return Lesson(path, tuple(blocks))


def _tokens(text: str, path: str) -> Iterator[Block]:
    """Yield headings, directives and lines of prose; text inside ordinary fences is prose whatever it looks like."""
    lines = text.splitlines()
    if not lines or not re.fullmatch(r"# +\S.*", lines[0]):
        raise BuildError(f"{path}, line 1: a lesson starts with its title, `# Title`.")
    yield Block("heading", "title", lines[0].rstrip(), 1)
    numbered = iter(enumerate(lines[1:], start=2))
    opened = None  # the number of the line that opened an ordinary fence, and its marks
    for number, line in numbered:
        fence = FENCE.fullmatch(line)
        if opened:
            if fence and not fence["info"].strip() and fence["marks"].startswith(opened[1]):
                opened = None
            yield Block("prose", "", line, number)
        elif fence and (directive := DIRECTIVE.fullmatch(fence["info"].strip())):
            _, closing = next(numbered, (0, ""))
            if closing.strip() != fence["marks"]:
                raise BuildError(f"{path}, line {number}: a directive stands alone, its fence closes on the next line.")
            if directive["kind"] not in DIRECTIVES or not directive["name"]:
                raise BuildError(
                    f"{path}, line {number}: `{line.strip()}` is none of {{cell}}, {{given}}, {{stub}}, {{check}} NAME."
                )
            yield Block(directive["kind"], directive["name"], "", number)
        elif heading := HEADING.fullmatch(line):
            if not ANCHOR.fullmatch(heading["anchor"] or ""):
                raise BuildError(f"{path}, line {number}: the heading `{line}` needs an ASCII anchor, {{#like-this}}.")
            yield Block("heading", heading["anchor"], heading["text"], number)
        else:
            if fence:
                opened = number, fence["marks"]
            yield Block("prose", "", line, number)
    if opened:
        raise BuildError(f"{path}, line {opened[0]}: this fence is never closed.")


def _claim_once(blocks: list[Block], path: str) -> None:
    """Refuse a second block of the same kind and name: both become cell ids, which are unique."""
    first: dict[tuple[str, str], int] = {}
    for block in blocks:
        line = first.setdefault((block.kind, block.name), block.line)
        if line != block.line:
            what = f"the anchor #{block.name}" if block.kind == "prose" else f"{{{block.kind}}} {block.name}"
            raise BuildError(f"{path}, line {block.line}: {what} was used before, on line {line}.")


def require_same_shape(lesson: Lesson, other: Lesson) -> None:
    """Refuse two languages of one lesson that differ in more than their words.

    Raises
    ------
    BuildError
        Naming the first place where anchors, directives or prose between them stand in another order.
    """

    def describe(block: Block | None) -> str:
        if block is None:
            return "the end"
        what = f"prose #{block.name}" if block.kind == "prose" else f"{{{block.kind}}} {block.name}"
        return f"{what} (line {block.line})"

    for mine, theirs in zip_longest(lesson.blocks, other.blocks):
        if mine is None or theirs is None or (mine.kind, mine.name) != (theirs.kind, theirs.name):
            raise BuildError(
                f"{other.path} and {lesson.path} must go through the same steps, but where the one has "
                f"{describe(theirs)}, the other has {describe(mine)}."
            )


def read_regions(text: str, path: str) -> dict[str, str]:
    """Cut the file of given cells at its lines ``# %% NAME``; what stands before the first one is ignored.

    Raises
    ------
    BuildError
        For a region without a name, without code, or named like an earlier one.
    """
    regions: dict[str, list[str]] = {}
    started: dict[str, int] = {}
    current = None
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("# %%"):
            current = line.removeprefix("# %%").strip()
            if not re.fullmatch(r"[A-Za-z0-9_-]+", current):
                raise BuildError(
                    f"{path}, line {number}: a region has a name of letters, digits, - and _, not `{current}`."
                )
            if current in regions:
                raise BuildError(
                    f"{path}, line {number}: the region {current} began before, on line {started[current]}."
                )
            regions[current], started[current] = [], number
        elif current is not None:
            regions[current].append(line)
    cells = {name: "\n".join(lines).strip("\n") for name, lines in regions.items()}
    for name, source in cells.items():
        if not source.strip():
            raise BuildError(f"{path}, line {started[name]}: the region {name} is empty.")
    return cells
