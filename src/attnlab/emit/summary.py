"""A Report as GitHub's step summary: Markdown, in which nothing a student writes is taken for Markdown or HTML."""

import re

from ..checking.report import Report
from .entries import Entry, entries, overall

SIGNS = {"passed": "✅", "todo": "⬜", "missing": "⬜"}
WRONG = "❌"
LONGEST = 4000  # characters of one message: a step summary has room for 1 MiB
SPECIAL = re.compile(r"[\\`*_{}\[\]()#+\-.!|~<>&@:$^=\"']")


def dumps(report: Report, lang: str, seconds: float = 0.0) -> str:
    """Return the summary: the parts in a table, then what failed and why."""
    from .words import Words

    words, found = Words(report, lang), entries(report, lang)
    points, part, check = words.say("export.points"), words.say("export.part"), words.say("export.checks")
    lines = [f"## {literal(f'attnlab {report.lab.name}')}", ""]
    lines += ["  \n".join(map(_sentence, overall(report, lang))), ""]
    lines += [f"| | {part} | {check} | {points} |", "|---|---|---|---|"]
    for result in report.parts:
        right = sum(c.outcome == "passed" for c in result.checks)
        name = f"<code>{literal(result.part.name)}</code>"
        bonus = f" ({words.say('report.bonus')})" if result.part.bonus else ""
        lines.append(
            f"| {SIGNS.get(result.status, WRONG)} {words.outcome(result.status)} | {name}{bonus} "
            f"| {right} / {len(result.checks)} | {result.score:g} / {result.max_score:g} |"
        )
    for result in report.parts:
        wrong = [e for e in found if e.part == result.part.name and e.outcome not in ("passed", "todo", "missing")]
        if wrong:
            lines += ["", f"### <code>{literal(result.part.name)}</code>", ""]
            lines += (line for entry in wrong for line in _told(entry))
    return "\n".join(lines) + "\n"


def _told(entry: Entry):
    yield f"**{literal(entry.title)}**<br>{_sentence(entry.message)}"
    yield ""
    if entry.lines:
        yield f"<pre>{literal(chr(10).join(entry.lines))}</pre>"
        yield ""


def _sentence(text: str) -> str:
    """Return a sentence with its `names` set as code."""
    text = text if len(text) <= LONGEST else text[:LONGEST] + "…"
    pieces = text.split("`")
    if len(pieces) % 2 == 0:
        return literal(text).replace("\n", "<br>")
    told = "".join(f"<code>{literal(p)}</code>" if i % 2 else literal(p) for i, p in enumerate(pieces))
    return told.replace("\n", "<br>")


def literal(text: str) -> str:
    """Return text in which every character that Markdown or HTML could read is written by number."""
    return SPECIAL.sub(lambda match: f"&#{ord(match[0])};", text)
