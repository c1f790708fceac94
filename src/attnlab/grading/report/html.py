"""The report as one HTML file: pictures inside, no script, no font or picture from elsewhere, light and dark."""

from collections.abc import Sequence
from html import escape
from importlib import resources
from itertools import groupby

from ... import texts
from ...emit.html import code
from . import pictures
from .statistics import GROUPS, LOW, Overview
from .wording import Wording

OPEN = 40  # students, up to which their table is shown unfolded
FEW = 10  # sentences, up to which a list of them is
KINDS = ("right", "wrong", "stopped", "unwritten")
SIGNS = {"right": ("r", "✓"), "wrong": ("w", "✗"), "stopped": ("s", "!"), "unwritten": ("u", "○")}
POLICY = "default-src 'none'; style-src 'unsafe-inline'"  # nothing that somebody wrote can load or run anything


def page(found: Sequence[Overview], lang: str) -> str:
    """Return the page on one or more assignments."""
    words = Wording(lang)
    title = words.say("overview.title", name=", ".join(entry.assignment.name for entry in found))
    style = resources.files(__package__).joinpath("style.css").read_text(encoding="utf-8")
    several = len(found) > 1
    articles = "".join(f"<article>{_article(entry, words, several)}</article>" for entry in found)
    return (
        f'<!doctype html>\n<html lang="{lang}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="light dark">\n<title>{escape(title)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n<h1>{escape(title)}</h1>\n{articles}\n</body>\n</html>\n"
    )


def _article(found: Overview, words: Wording, several: bool) -> str:
    head = f"<h1>{_text(found.assignment.name)}</h1>" if several else ""
    if found.marks is None:
        return f"{head}<p>{escape(words.say('overview.none_graded'))}</p>{_to_look_at(found, words)}"
    return head + "\n".join(
        filter(
            None,
            (
                _figures(found, words), _distribution(found, words), _parts(found, words),
                _misconceptions(found, words), _clusters(found, words), _to_look_at(found, words),
                _difficulty(found, words), _students(found, words),
            ),
        )
    )  # fmt: skip


def _text(value: str) -> str:
    return escape(texts.visible(value))


def _head(words, message):
    return f"<h2>{escape(words.say(message))}</h2>"


def _figures(found, words):
    marks = found.marks
    shown = (
        (words.say("overview.count_head"), str(marks.count)),
        (words.say("overview.mean_head", max_score=words.number(marks.max_score)), words.number(marks.mean)),
        (words.say("overview.median_head"), words.number(marks.quartiles[1])),
        (words.say("overview.full_head"), str(marks.full)),
        (words.say("overview.look_at_head"), str(len(_students_to_look_at(found)))),
    )
    return "<dl>" + "".join(f"<div><dt>{escape(t)}</dt><dd>{escape(d)}</dd></div>" for t, d in shown) + "</dl>"


def _students_to_look_at(found):
    told = {sentence.student for sentence in found.unreadable} | set(found.assignment.waiting) | set(found.manual)
    return told | {damaged.file for damaged in found.assignment.damaged}


def _distribution(found, words):
    marks = found.marks
    low, _, high = map(words.number, marks.quartiles)
    spread = words.say(
        "overview.spread", low=low, high=high, lowest=words.number(marks.lowest), highest=words.number(marks.highest)
    )
    picture = pictures.histogram(marks.bins, words.say("overview.chart_marks"))
    return f'{_head(words, "overview.distribution")}{picture}<p class="soft">{escape(spread)}</p>'


def _parts(found, words):
    labels = {kind: words.say(f"overview.{kind}") for kind in KINDS}
    key = "".join(
        f'<span><svg viewBox="0 0 1 1" aria-hidden="true"><rect class="{kind}" width="1" height="1"/></svg>'
        f"{escape(label)}</span>"
        for kind, label in labels.items()
    )
    rows = []
    for part in found.parts:
        counts = [(kind, labels[kind], getattr(part, kind)) for kind in KINDS]
        bonus = f" <small>({escape(words.say('report.bonus'))})</small>" if part.bonus else ""
        numbers = "".join(f'<td class="n">{count}</td>' for *_, count in counts)
        rows.append(
            f'<tr><th scope="row"><code>{_breakable(part.part)}</code>{bonus}</th>'
            f'<td class="b">{pictures.stack(counts)}</td>{numbers}</tr>'
        )
    heads = "".join(
        f'<th scope="col" class="n"><svg class="strip" style="width:.8rem;margin-left:auto" viewBox="0 0 1 1" '
        f'role="img" aria-label="{escape(label)}"><rect class="{kind}" width="1" height="1"/></svg></th>'
        for kind, label in labels.items()
    )
    return (
        f'{_head(words, "overview.parts")}<p class="key">{key}</p>'
        f"<table><caption class='unseen'>{escape(words.say('overview.chart_parts'))}</caption>"
        f"<thead><tr><td></td><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"
    )


def _breakable(name):
    """Return a name that may be broken behind its underscores, where the page is narrow."""
    return _text(name).replace("_", "_<wbr>")


def _misconceptions(found, words):
    if not found.misconceptions:
        return f"{_head(words, 'overview.misconceptions')}<p>{escape(words.say('overview.no_names'))}</p>"
    items = [(entry, words.misconception(entry)) for entry in found.misconceptions]
    return f"{_head(words, 'overview.misconceptions')}{_ideas(found, words, items)}"


def _clusters(found, words):
    if not found.clusters and not found.single:
        return ""
    single = f'<p class="soft">{escape(words.say("overview.single", count=found.single))}</p>' if found.single else ""
    return f"{_head(words, 'overview.clusters')}{_ideas(found, words, words.clusters(found))}{single}"


def _ideas(found, words, items):
    """Return a list of ideas: how many students have each, as a number and a bar, and who, folded away."""
    rows = []
    for entry, sentence in items:
        count = len(entry.students)
        rows.append(
            f"<li><b>{count}</b><div>{pictures.share(count / found.marks.count)}"
            f"<p><code>{_text(entry.part)}</code>: {code(sentence)}</p>{_who(words, entry.students)}</div></li>"
        )
    return f'<ol class="ideas">{"".join(rows)}</ol>' if rows else ""


def _who(words, students):
    names = ", ".join(map(_text, students))
    return f'<details><summary>{escape(words.say("overview.who"))}</summary><p class="names">{names}</p></details>'


def _difficulty(found, words):
    if not found.difficulty:
        return ""
    rows = []
    for (_, part), entries in groupby(found.difficulty, key=lambda entry: (entry.lab, entry.part)):
        rows.append(f'<tr><th class="part" scope="rowgroup" colspan="3"><code>{_text(part)}</code></th></tr>')
        for entry in entries:
            low = entry.discrimination is not None and entry.discrimination < LOW
            value = escape(words.correlation(entry.discrimination)) + (" !" if low else "")
            rows.append(
                f"<tr><td>{code(words.difficulty_title(entry))}</td>"
                f'<td class="b"><div class="meter">{pictures.share(entry.share)}'
                f"<span>{words.percent(entry.share)}</span></div></td>"
                f'<td class="n{" low" if low else ""}">{value}</td></tr>'
            )
    heads = (("overview.check", ""), ("overview.passed_head", ""), ("overview.discrimination", ' class="n"'))
    head = "".join(f'<th scope="col"{more}>{escape(words.say(message))}</th>' for message, more in heads)
    body = "".join(rows)
    return (
        f"{_head(words, 'overview.difficulty')}<table class='checks'><thead><tr>{head}</tr></thead>"
        f"<tbody>{body}</tbody></table>"
        f'<p class="soft"><small>{escape(words.say("overview.difficulty_how"))}</small></p>'
    )


def _to_look_at(found, words):
    lang = words.lang
    lists = (
        ("overview.unreadable", [(s.student, s.told.say(lang)) for s in found.unreadable]),
        ("overview.damaged", [(d.file, d.why.say(lang)) for d in found.assignment.damaged]),
        ("overview.repaired", [(s.student, s.told.say(lang)) for s in found.repaired]),
    )
    late = tuple(f"{r.student} (−{words.number(r.late_penalty)})" for r in found.late)
    rows = (
        ("overview.waiting", found.assignment.waiting), ("overview.manual", found.manual), ("overview.late", late),
        ("overview.retried", found.retried),
    )  # fmt: skip
    told = []
    for message, entries in lists:
        if entries:
            items = "".join(f"<li><b>{_text(who)}</b>: {code(texts.visible(what))}</li>" for who, what in entries)
            opened = message != "overview.repaired" and len(entries) <= FEW
            told.append(_folded(f"{words.say(message)} ({len(entries)})", f'<ul class="told">{items}</ul>', opened))
    for message, entries in rows:
        if entries:
            names = f'<p class="names">{", ".join(map(_text, entries))}</p>'
            told.append(_folded(f"{words.say(message)} ({len(entries)})", names))
    return f"{_head(words, 'overview.look_at')}{''.join(told)}" if told else ""


def _folded(summary, body, opened=False):
    return f"<details{' open' if opened else ''}><summary>{escape(summary)}</summary>{body}</details>"


def _students(found, words):
    records = found.assignment.records
    order = ", ".join(f"<code>{_text(part.part)}</code>" for part in found.parts)
    rows = []
    for record in records:
        signs = "".join(_sign(part.status) for notebook in record.notebooks for part in notebook.parts)
        rows.append(
            f'<tr><td>{_text(record.student)}<td class="n">{words.number(record.final)}<td class="signs">{signs or "–"}'
        )
    heads = ("overview.student", "overview.score", "overview.parts")
    head = "".join(f'<th scope="col"{" class=n" if i == 1 else ""}>{escape(words.say(h))}' for i, h in enumerate(heads))
    table = f"<table><caption>{order}</caption><thead><tr>{head}<tbody>{''.join(rows)}</table>"
    shown = " open" if len(records) <= OPEN else ""
    count = escape(words.say("overview.students", count=len(records)))
    return f"{_head(words, 'overview.marks')}<details{shown}><summary>{count}</summary>{table}</details>"


def _sign(status):
    kind, sign = SIGNS[GROUPS[status]]
    return f"<i class={kind}>{sign}</i>"
