"""The report in the terminal: 80 columns, readable without colour."""

from itertools import groupby

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ... import texts
from .statistics import BINS, LOW, Overview
from .wording import Wording

WIDTH, SHORT = 30, 10  # of a bar
LISTED = 60  # students, before the rest is only counted
NAMES = 6  # in a row of names
SENTENCES = 20  # in each list of work to look at


def show(found: Overview, lang: str, console: Console) -> None:
    """Print the report on one assignment."""
    words = Wording(lang)
    bar = _bar_sign(console)
    console.print(Text(texts.visible(found.assignment.name), "bold"))
    if found.marks is None:
        console.print(Text(words.say("overview.none_graded")))
    else:
        _marks(found, words, console, bar)
        _parts(found, words, console)
        _misconceptions(found, words, console)
        _clusters(found, words, console)
        _difficulty(found, words, console, bar)
        _students(found, words, console)
    _to_look_at(found, words, console)


def _bar_sign(console):
    try:
        "█".encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return "#"
    return "█"


def _head(console, title):
    console.print()
    console.rule(Text(title, "bold"), align="left", style="dim", characters="─" if _bar_sign(console) == "█" else "-")


def _line(console, text, indent=2, style=""):
    console.print(Padding(Text(text, style), (0, 0, 0, indent), expand=False))


def _table(*columns):
    """Return a table without lines; a column is its share of the room, or ``>`` for numbers."""
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        if column == ">":
            table.add_column(justify="right", no_wrap=True)
        else:
            table.add_column(ratio=column or None, no_wrap=not column, overflow="fold")
    return table


def _marks(found, words, console, bar):
    marks = found.marks
    facts = {"mean": words.number(marks.mean), "max_score": words.number(marks.max_score)}
    facts |= {"median": words.number(marks.quartiles[1]), "deviation": words.number(marks.deviation)}
    _line(console, words.say("overview.students", count=marks.count))
    _line(console, words.say("overview.centre", **facts))
    low, _, high = map(words.number, marks.quartiles)
    _line(console, words.say("overview.spread", low=low, high=high, lowest=words.number(marks.lowest),
                             highest=words.number(marks.highest)))  # fmt: skip
    _line(console, words.say("overview.full", count=marks.full))
    _head(console, words.say("overview.distribution"))
    table, most = _table(">", "", ">"), max(marks.bins)
    for number, count in enumerate(marks.bins):
        low, high = 100 * number // BINS, 100 * (number + 1) // BINS
        table.add_row(f"{low}–{high} %", bar * _length(count, most), str(count) if count else "")
    console.print(Padding(table, (0, 0, 0, 2), expand=False))


def _length(count, most):
    """Return a bar's length; whoever is there is seen."""
    return max(1, round(WIDTH * count / most)) if count else 0


def _parts(found, words, console):
    _head(console, words.say("overview.parts"))
    table = _table("", ">", ">", ">", ">")
    heads = ("overview.right", "overview.wrong", "overview.stopped", "overview.unwritten")
    table.add_row("", *(Text(words.say(head), "dim") for head in heads))
    for part in found.parts:
        name = Text(texts.visible(part.part), "bold")
        if part.bonus:
            name.append(f" ({words.say('report.bonus')})", "dim")
        table.add_row(name, *(str(n or "") for n in (part.right, part.wrong, part.stopped, part.unwritten)))
    console.print(Padding(table, (0, 0, 0, 2), expand=False))


def _misconceptions(found, words, console):
    if not found.misconceptions:
        return
    _head(console, words.say("overview.misconceptions"))
    table = _table(">", 1)
    for entry in found.misconceptions:
        told = Text(f"{texts.visible(entry.part)}: ", "bold")
        told.append(words.misconception(entry), "not bold")
        told.append(f"\n{words.names(entry.students, NAMES)}", "dim not bold")
        table.add_row(Text(str(len(entry.students)), "bold"), told)
    console.print(Padding(table, (0, 0, 0, 2)))


def _clusters(found, words, console):
    if not found.clusters and not found.single:
        return
    _head(console, words.say("overview.clusters"))
    table = _table(">", 1)
    for cluster, shared in words.clusters(found):
        told = Text(f"{texts.visible(cluster.part)}: ", "bold")
        told.append(shared, "not bold")
        told.append(f"\n{words.names(cluster.students, NAMES)}", "dim not bold")
        table.add_row(Text(str(len(cluster.students)), "bold"), told)
    if found.clusters:
        console.print(Padding(table, (0, 0, 0, 2)))
    if found.single:
        _line(console, words.say("overview.single", count=found.single))


def _difficulty(found, words, console, bar):
    if not found.difficulty:
        return
    _head(console, words.say("overview.difficulty"))
    for part, entries in groupby(found.difficulty, key=lambda entry: (entry.lab, entry.part)):
        _line(console, texts.visible(part[1]), style="bold")
        table = _table(1, ">", 0, ">")
        for entry in entries:
            low = entry.discrimination is not None and entry.discrimination < LOW
            correlation = Text(words.correlation(entry.discrimination), "yellow" if low else "")
            length = round(SHORT * entry.share)
            table.add_row(
                words.difficulty_title(entry),
                words.percent(entry.share),
                bar * length + " " * (SHORT - length),
                correlation.append(" !" if low else "  "),
            )
        console.print(Padding(table, (0, 0, 0, 4)))
    _line(console, words.say("overview.difficulty_how"), style="dim")


def _students(found, words, console):
    _head(console, words.say("overview.marks"))
    records = found.assignment.records
    entries = [f"{texts.visible(r.student)}  {words.number(r.final)}" for r in records[:LISTED]]
    width = max(map(len, entries)) + 3
    columns = max(1, (console.width - 2) // width)
    rows = -(-len(entries) // columns)
    for row in range(rows):
        cells = entries[row::rows]
        _line(console, "".join(cell.ljust(width) for cell in cells).rstrip())
    if len(records) > LISTED:
        _line(console, words.say("overview.rest", count=len(records) - LISTED), style="dim")


def _to_look_at(found, words, console):
    lists = [
        ("overview.unreadable", [f"{texts.visible(s.student)}: {s.told.say(words.lang)}" for s in found.unreadable]),
        ("overview.damaged", [f"{texts.visible(d.file)}: {d.why.say(words.lang)}" for d in found.assignment.damaged]),
        ("overview.repaired", [f"{texts.visible(s.student)}: {s.told.say(words.lang)}" for s in found.repaired]),
    ]
    late = [f"{texts.visible(r.student)} (−{words.number(r.late_penalty)})" for r in found.late]
    rows = [("overview.waiting", found.assignment.waiting), ("overview.manual", found.manual),
            ("overview.late", late), ("overview.retried", found.retried)]  # fmt: skip
    if not any(entries for _, entries in (*lists, *rows)):
        return
    _head(console, words.say("overview.look_at"))
    for message, entries in lists:
        if entries:
            _line(console, f"{words.say(message)} ({len(entries)})", style="bold")
        for entry in entries[:SENTENCES]:
            _line(console, entry, 4)
        if len(entries) > SENTENCES:
            _line(console, words.say("overview.rest_of_list", count=len(entries) - SENTENCES), 4, "dim")
    for message, entries in rows:
        if entries:
            _line(console, f"{words.say(message)} ({len(entries)})", style="bold")
            _line(console, words.names(tuple(entries), 3 * NAMES), 4)
