"""The kill matrix: which check rejects which wrong version, found out by judging each of them.

``python -m attnlab.emit.kill_matrix [LAB ...]`` judges every wrong version of these labs (of all, unless some are
named) and writes a page and a picture for each into the folder ``docs``. It takes up to a minute a lab.
"""

import hashlib
import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from .. import labs
from ..checking import cases as drawn
from ..checking import engine
from ..labs.model import Lab
from ..labs.registry import Misconception
from ..plots import ORANGE, Picture
from ..sandbox.process import ProcessTarget

COMMAND = "python -m attnlab.emit.kill_matrix"
ONLY, KILL, FOLLOWS, NOT = ORANGE, "#0072B2", "#9FB7C6", "#F4F4F4"  # told apart by everyone, in grey as well


@dataclass(frozen=True)
class Row:
    """One wrong version and the checks that reject it.

    Attributes
    ----------
    id : str
        Name of the wrong version.
    idea : str
        The id that is named to students; variants of one idea share it.
    part : str
        The part it gets wrong.
    description : str
        One sentence saying what the code does.
    kills : tuple of str
        Ids of all checks that did not pass, in the order of the lab.
    root_cause : str or None
        The part a report on it leads with.
    """

    id: str
    idea: str
    part: str
    description: str
    kills: tuple[str, ...]
    root_cause: str | None

    @property
    def own(self) -> tuple[str, ...]:
        """The checks of its own part that reject it."""
        return tuple(id for id in self.kills if part_of(id) == self.part)

    @property
    def follows(self) -> tuple[str, ...]:
        """The checks of other parts, which use this one, that reject it."""
        return tuple(id for id in self.kills if part_of(id) != self.part)


@dataclass(frozen=True)
class KillMatrix:
    """Wrong versions (rows) against checks (columns)."""

    rows: tuple[Row, ...]
    columns: tuple[str, ...]

    def cell(self, row: Row, check: str) -> str:
        """Return ``only``, ``kill``, ``follows`` or an empty string: how `check` rejects `row`.

        ``only`` means that no other check of the wrong version's own part rejects it; ``follows`` that the check
        belongs to a part which uses the wrong one.
        """
        if check not in row.kills:
            return ""
        if check in row.follows:
            return "follows"
        return "only" if len(row.own) == 1 else "kill"

    def kills(self, check: str) -> tuple[Row, ...]:
        """Return the wrong versions of its own part that a check rejects."""
        return tuple(row for row in self.rows if check in row.own)

    def only(self, check: str) -> tuple[Row, ...]:
        """Return the wrong versions of its own part that no other check of that part rejects."""
        return tuple(row for row in self.kills(check) if len(row.own) == 1)

    def survivors(self) -> tuple[Row, ...]:
        """Return the wrong versions that no check of their own part rejects."""
        return tuple(row for row in self.rows if not row.own)

    @property
    def mark(self) -> str:
        """A digest of who rejects what: the page and the picture of one matrix both carry it."""
        told = json.dumps([[row.id, row.idea, *row.kills] for row in self.rows])
        return f"matrix {hashlib.sha256(told.encode()).hexdigest()[:16]}"

    def by_part(self) -> dict[str, tuple[Row, ...]]:
        """Return the rows of each part, in the order of the columns; variants stand behind the idea they vary."""
        parts = dict.fromkeys(map(part_of, self.columns))
        first = {}
        for number, row in enumerate(self.rows):
            first.setdefault(row.idea, number)
        ordered = sorted(self.rows, key=lambda row: (first[row.idea], row.id != row.idea))
        return {part: tuple(row for row in ordered if row.part == part) for part in parts}


def part_of(check: str) -> str:
    """Return the part to which a check belongs."""
    return check.partition(".")[0]


def compute(
    lab: Lab,
    misconceptions: tuple[Misconception, ...] | None = None,
    workers: int = 2,
    progress: Callable[[Row], None] | None = None,
) -> KillMatrix:
    """Judge each wrong version as a student's file, on the visible cases and in a process of its own.

    Parameters
    ----------
    lab : Lab
    misconceptions : tuple of Misconception, optional
        The wrong versions; all of the lab unless given.
    workers : int
        How many are judged at a time.
    progress : callable, optional
        Called with each row, in order.
    """
    cases = drawn.visible(lab)

    def judge(wrong):
        target = ProcessTarget([("student.py", lab.submission_source(wrong))], lab.functions)
        try:
            report = engine.check(lab, target, cases, shrink=False, explain=False)
        finally:
            target.close()
        kills = tuple(check.check.id for part in report.parts for check in part.checks if check.outcome != "passed")
        return Row(wrong.id, wrong.misconception, wrong.part, wrong.description, kills, report.root_cause)

    rows = []
    with ThreadPoolExecutor(workers) as pool:
        for row in pool.map(judge, lab.misconceptions() if misconceptions is None else misconceptions):
            rows.append(row)
            if progress is not None:
                progress(row)
    return KillMatrix(tuple(rows), tuple(check.id for check in lab.checks))


def page_name(lab: str) -> str:
    """Return what the page and the picture of a lab are called, without suffix."""
    return "kill-matrix" if lab == labs.LABS[0] else f"kill-matrix-{lab}"


def as_markdown(matrix: KillMatrix, lab: str, mark: str | None = None) -> str:
    """Return the page: a summary, the checks by what they reject, and a table of wrong versions for each part.

    `mark` is the digest to write down, that of the matrix unless given.
    """
    ideas = len({row.idea for row in matrix.rows})
    parts = len({row.part for row in matrix.rows})
    single = [row for row in matrix.rows if len(row.own) == 1]
    lines = [
        f"# Kill matrix of lab `{lab}`",
        "",
        f"<!-- Generated by `{COMMAND}`; do not edit. {mark or matrix.mark} -->",
        "",
        f"Generated by `{COMMAND}`, which judges each wrong version in the registry as if a student had handed it in.",
        "",
        f"{len(matrix.rows)} wrong versions of {ideas} ideas over {parts} parts, {len(matrix.columns)} checks. "
        f"Survivors (no check of their own part rejects them): {len(matrix.survivors())}. "
        f"Rejected by exactly one check of their part: {len(single)}.",
        "",
        f"![Wrong versions against checks]({page_name(lab)}.png)",
        "",
        "## Checks by number of kills",
        "",
        "Counted among the wrong versions of the check's own part. What only one check rejects makes that check",
        "indispensable: without it the wrong version would get full marks for its part.",
        "",
        "| check | kills | of | wrong versions that only this check rejects |",
        "|---|--:|--:|---|",
    ]
    totals = {part: len(rows) for part, rows in matrix.by_part().items()}
    for check in sorted(matrix.columns, key=lambda check: -len(matrix.kills(check))):
        only = ", ".join(f"`{row.id}`" for row in matrix.only(check)) or "–"
        lines.append(f"| `{check}` | {len(matrix.kills(check))} | {totals[part_of(check)]} | {only} |")
    for part, rows in matrix.by_part().items():
        lines += ["", *_table(part, rows)]
    return "\n".join(lines) + "\n"


def _table(part, rows):
    lines = [
        f"## `{part}`",
        "",
        f"{len(rows)} wrong versions of {len({row.idea for row in rows})} ideas. An indented name is a variant of the",
        "idea above it. The last column counts checks of parts that use this one and fail with it.",
        "",
        "| wrong version | idea | what the code does | kills | checks of this part that reject it | in other parts |",
        "|---|---|---|--:|---|--:|",
    ]
    for row in rows:
        name = f"`{row.id}`" if row.id == row.idea else f"&nbsp;&nbsp;`{row.id}`"
        own = ", ".join(id.partition(".")[2] for id in row.own) or "**none**"
        text = " ".join(row.description.split()).replace("|", "\\|")
        lines.append(f"| {name} | `{row.idea}` | {text} | {len(row.own)} | {own} | {len(row.follows) or ''} |")
    return lines


def as_picture(matrix: KillMatrix) -> Picture:
    """Draw the matrix: a block of rows for each part, a column for each check."""
    import numpy as np
    from matplotlib.colors import ListedColormap
    from matplotlib.patches import Patch

    kinds = ("", "follows", "kill", "only")
    groups = matrix.by_part()
    rows = [row for part in groups for row in sorted(groups[part], key=lambda row: _pattern(matrix, row))]
    values = np.array([[kinds.index(matrix.cell(row, check)) for check in matrix.columns] for row in rows])
    figure = Picture(figsize=(4.2 + 0.27 * len(matrix.columns), 2.6 + 0.062 * len(rows)), layout="constrained")
    axes = figure.subplots()
    axes.pcolormesh(
        values, cmap=ListedColormap((NOT, FOLLOWS, KILL, ONLY)), vmin=-0.5, vmax=3.5, edgecolors="white", linewidth=0.4
    )  # (rows, checks)
    axes.set_ylim(len(rows), 0)
    axes.set_xlim(0, len(matrix.columns))
    names = [f"{check}  {len(matrix.kills(check))}" for check in matrix.columns]
    axes.set_xticks(np.arange(len(names)) + 0.5, names, rotation=90, fontsize=8)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    ends = np.cumsum([len(found) for found in groups.values()])  # (parts,)
    middles = [end - len(found) / 2 for end, found in zip(ends, groups.values(), strict=True)]
    axes.set_yticks(middles, [f"{part}\n{len(found)} wrong versions" for part, found in groups.items()], fontsize=9)
    axes.hlines(ends[:-1], 0, len(names), color="black", lw=0.9)
    edges = np.cumsum([len(list(found)) for _, found in groupby(matrix.columns, part_of)])
    axes.vlines(edges[:-1], 0, len(rows), color="black", lw=0.9)
    axes.spines[:].set_visible(False)
    told = (
        (ONLY, "the only check of its part that rejects it"),
        (KILL, "one of several"),
        (FOLLOWS, "fails with it: its part uses the wrong one"),
        (NOT, "passes"),
    )
    figure.legend(
        handles=[Patch(facecolor=colour, edgecolor="#8C8C8C", label=text) for colour, text in told],
        loc="outside lower center", ncols=4, fontsize=8, frameon=False,
    )  # fmt: skip
    return figure


def _pattern(matrix, row):
    """Sort rows of one part so that those rejected by the same checks lie together."""
    return [check not in row.kills for check in matrix.columns if part_of(check) == row.part], row.follows


def write(lab: Lab, folder: Path) -> None:
    """Write the page and the picture of a lab into `folder`; nothing if a report leads with a part that is right."""
    total, done = len(lab.misconceptions()), 0

    def told(row):
        nonlocal done
        done += 1
        print(f"\r{done}/{total} {row.id:<60.60}", end="", file=sys.stderr, flush=True)

    matrix = compute(lab, progress=told)
    print(file=sys.stderr)
    astray = [row.id for row in matrix.rows if row.root_cause != row.part]
    if astray:
        sys.exit(f"nothing is written: {len(astray)} reports lead with another part, as in {', '.join(astray[:3])}")
    page = folder / f"{page_name(lab.name)}.md"
    page.write_text(as_markdown(matrix, lab.name), encoding="utf-8")
    as_picture(matrix).savefig(
        page.with_suffix(".png"), dpi=110, metadata={"Software": None, "Description": matrix.mark}
    )
    print(f"{lab.name}: {total} wrong versions, {len(matrix.survivors())} survivors: {page}")


def main(names: list[str], folder: Path = Path("docs")) -> None:
    """Write the pages and pictures of the labs named, or of all."""
    for name in names or labs.LABS:
        try:
            lab = labs.get(name)
        except KeyError:
            sys.exit(f"there is no lab {name}; the labs are {', '.join(labs.LABS)}")
        write(lab, folder)


if __name__ == "__main__":
    main(sys.argv[1:])
