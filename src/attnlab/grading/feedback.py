"""The page a student gets: points, what was repaired, one card for each check. Small: no script, no style library."""

from dataclasses import dataclass
from html import escape

from .. import texts
from ..emit import html
from ..emit.words import Words, points
from .marking import Marks

STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
body { max-width: 54rem; margin: 0 auto; padding: 1rem }
h1 { font-size: 1.4rem; margin: 0 } h2 { font-size: 1.1rem; margin: 1.6rem 0 .4rem }
.points { font-size: 2rem; font-weight: 600; margin: .2rem 0 }
.quiet { opacity: .75 } pre { font-size: .85rem }
.note { border-left: 4px solid #b7791f; padding: .2rem .8rem; margin: .4rem 0 }
"""


@dataclass(frozen=True)
class Page:
    """What a page says besides the marks: whose it is, and the sentences on what was repaired or could not be read."""

    assignment: str
    student: str
    notes: tuple[str, ...] = ()
    unreadable: str | None = None
    by_hand: float = 0.0  # points of cells that a person marks


def page(told: Page, marks: Marks, lang: str) -> str:
    """Return the page of one notebook.

    Parameters
    ----------
    told : Page
    marks : Marks
    lang : {"en", "ru"}
    """

    def say(message, **facts):
        return escape(texts.say(lang, message, facts))

    total = sum(cell.points or 0 for cell in marks.cells.values())
    highest = sum(cell.max_points for cell in marks.cells.values())
    body = [
        f"<h1>{escape(told.assignment)} · {escape(told.student)}</h1>",
        f'<p class="points">{say("feedback.points", score=points(total), max_score=points(highest))}</p>',
    ]
    if told.by_hand:
        body.append(f'<p class="quiet">{say("feedback.by_hand", points=points(told.by_hand))}</p>')
    if told.unreadable:
        body.append(f'<p class="note">{html.code(told.unreadable)}</p>')
    if told.notes:
        body.append(f"<h2>{say('feedback.repaired')}</h2>")
        body += (f'<p class="note">{html.code(note)}</p>' for note in told.notes)
    for report in marks.reports.values():
        words = Words(report, lang)
        body += (f'<p class="note">{html.code(sentence)}</p>' for sentence in words.problems())
        counted = [r for r in report.parts if not r.part.bonus]
        bonus = [r for r in report.parts if r.part.bonus]
        for title, results in (("feedback.checks", counted), ("feedback.bonus", bonus)):
            if results:
                body.append(f"<h2>{say(title)}</h2>")
                body += (html.card(words, result) for result in results)
    own = [cell for cell in marks.cells.values() if cell.own is not None]
    if own:
        body.append(f"<h2>{say('feedback.own')}</h2>")
        body += (_own(cell, say) for cell in own)
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(told.assignment)} · {escape(told.student)}</title><style>{STYLE}</style></head>"
        f"<body>{''.join(body)}</body></html>\n"
    )


def _own(cell, say):
    """Return the line of a check that the instructor wrote."""
    sign, colour = ("✓", html.GREEN) if cell.points == cell.max_points else ("✗", html.RED)
    got = say("report.points", score=points(cell.points), max_score=points(cell.max_points))
    told = f'<div style="margin-left:1.2em">{escape(cell.own)}</div>' if cell.own else ""
    return f'<div><b style="color:{colour}">{sign} {escape(cell.grade_id)}: {got}</b>{told}</div>'
