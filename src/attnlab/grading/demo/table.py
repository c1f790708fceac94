"""The table the demo ends with."""

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from attnlab.grading.demo.results import Result

ROOM_FOR_REASONS = 120  # columns; in a narrower terminal the reasons stand under the table


def results_table(max_points: dict[str, float], results: list[Result], about: dict[str, str], width: int):
    """Return a table of points by student and part, with the reason for every point that is missing.

    Parameters
    ----------
    max_points : dict
        What each part is worth, in the order of the columns.
    results : list of Result
        One for each row.
    about : dict
        What each student handed in, in a sentence.
    width : int
        Columns of the terminal.
    """
    roomy = width >= ROOM_FOR_REASONS
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("student", no_wrap=True)
    for part, points in max_points.items():
        table.add_column(f"{part.replace('_', '_ ')} /{number(points)}", justify="right", min_width=6, max_width=11)
    table.add_column(f"total /{number(sum(max_points.values()))}", justify="right")
    if roomy:
        table.add_column("what was handed in, and why points are missing", ratio=1)
    below: list[RenderableType] = []
    for result in results:
        points = [_points(result.points.get(part), worth) for part, worth in max_points.items()]
        total = _points(result.total if result.points else None, sum(max_points.values()))
        reasons = _reasons(result, about[result.student])
        table.add_row(result.student, *points, total, *([reasons] if roomy else []))
        below += [Text(result.student, style="bold"), Padding(reasons, (0, 0, 1, 2))]
    return table if roomy else Group(table, *below)


def number(value: float) -> str:
    """Return points without a decimal point where none is needed."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _points(value: float | None, worth: float) -> Text:
    if value is None:
        return Text("–", style="red")
    return Text(number(value), style="green" if value == worth else "yellow" if value else "red")


def _reasons(result: Result, about: str) -> Text:
    text = Text()
    text.append(about, style="dim")
    if result.problem:
        text.append(f"\n{result.problem}", style="red")
    for loss in result.losses:
        text.append(f"\n{loss.part} −{number(loss.points)}: {loss.reason}")
        if loss.also:
            also = "; ".join(f"{title} (−{number(points)})" for title, points in loss.also.items())
            text.append(f"\n  Nor does this hold: {also}.")
    return text
