"""One lesson as a page: plain HTML that is complete before any script runs, and without one."""

import json
import re
from html import escape

from .. import texts
from ..authoring.sources import LANGUAGES, SETUP, Sources
from . import cells, prose

NAMES = {"en": "English", "ru": "Русский"}
OF_NOTEBOOKS = re.compile(r"notebook|jupyter|\bcells?\b|блокнот|ячейк", re.IGNORECASE)
WAYS_OF_WORKING = ("how-to-work", "quiz")  # sections in which paragraphs may speak of notebooks only


def page(sources: Sources, lang: str, baked: dict, document: dict, assets: dict[str, str], policy: str) -> str:
    """Return the whole page.

    Parameters
    ----------
    sources : Sources
    lang : str
    baked : dict of str to cells.Baked
        What the cells show.
    document : dict
        The data for the script; see `document`.
    assets : dict of str to str
        Addresses of the style sheet (``style``), the script (``script``) and what sets the chosen theme before anything
        is painted (``theme``), relative to the page.
    policy : str
        Its Content-Security-Policy.
    """
    name, lesson = sources.lab.name, sources.lessons[lang]
    data = json.dumps(document, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return f"""{_head(lang, lesson.title, assets, policy, f' data-lab="{name}"')}
<body>
<a class="skip" href="#lesson">{escape(texts.say(lang, "web.skip"))}</a>
<header id="top"><a class="home" href="../../">attnlab</a>
<nav class="labs" aria-label="{escape(texts.say(lang, "web.labs"))}">{_labs(name, document["labs"])}</nav>
<nav class="langs" aria-label="{escape(texts.say(lang, "web.languages"))}">{_languages(name, lang)}</nav>
<div id="tools"></div></header>
<div id="columns"><main id="lesson">
{lesson_html(sources, lang, baked)}</main>
<aside id="work" aria-label="{escape(texts.say(lang, "web.work"))}"></aside></div>
<script type="application/json" id="attnlab">{data}</script>
<script type="module" src="{assets["script"]}"></script>
</body>
</html>
"""


def _head(lang, title, assets, policy, more=""):
    return f"""<!doctype html>
<html lang="{lang}"{more}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)} · attnlab</title>
<link rel="icon" href="data:,">
<script src="{assets["theme"]}"></script>
<link rel="stylesheet" href="{assets["style"]}">
</head>"""


def _labs(here, course):
    current = {here: ' aria-current="page"'}
    return "".join(f'<a href="{e["href"]}"{current.get(e["name"], "")}>{escape(e["title"])}</a>' for e in course)


def _languages(name, here):
    current = {here: ' aria-current="page"'}
    return "".join(
        f'<a href="../../{lang}/{name}/" hreflang="{lang}" lang="{lang}"{current.get(lang, "")}>{NAMES[lang]}</a>'
        for lang in LANGUAGES
    )


def lesson_html(sources: Sources, lang: str, baked: dict) -> str:
    """Return the lesson: a section for each heading, figures for the cells, cards for the exercises."""
    parts, opened, stubbed = [], False, ""
    for block in sources.lessons[lang].blocks:
        if block.kind == "prose":
            anchor = block.name if block.text.startswith("#") else None
            section = anchor or re.sub(r"-\d+$", "", block.name)
            text = _without_notebooks(block.text, section)
            if anchor is not None:
                parts.append(f'{"</section>" if opened else ""}<section id="{anchor}">')
                opened = True
            parts.append(prose.html(text))
            if anchor == "how-to-work":
                parts.append(f'<p class="here">{prose.line(texts.say(lang, "web.how_to_work"))}</p>\n')
        elif block.kind == "cell":
            parts.append(_cell(sources, lang, block.name, baked))
        elif block.kind == "given":
            source = sources.core.functions[block.name].solution
            parts.append(f'<figure class="given">{prose.code(source)}</figure>\n')
        elif block.kind == "stub":
            stubbed = block.name
            parts.append(_exercise(sources, lang, _part_of(sources, block.name)))
        elif sources.lab.part(block.name) is not _part_of(sources, stubbed):
            parts.append(_exercise(sources, lang, sources.lab.part(block.name)))
    return "".join([*parts, "</section>\n"])


def _without_notebooks(text, section):
    """Leave out paragraphs that tell how to work in a notebook."""
    if section not in WAYS_OF_WORKING:
        return text
    return "\n\n".join(p for p in text.split("\n\n") if p.startswith("#") or not OF_NOTEBOOKS.search(p))


def _part_of(sources, function):
    """Return the part that stands for a function: the first one that is judged by calling it."""
    return next((part for part in sources.lab.parts if part.function == function), None)


def _exercise(sources, lang, part):
    message = "web.exercise_bonus" if part.bonus else "web.exercise"
    facts = {"part": part.name, "points": f"{sources.lab.points(part.name):g}"}
    return (
        f'<div class="exercise" data-function="{part.function}" data-part="{part.name}">'
        f'<p class="task">{prose.line(texts.say(lang, message, facts))}</p></div>\n'
    )


def _cell(sources, lang, name, baked):
    source = cells.code(sources, name, lang)
    kind = cells.widget(source)
    if kind is not None:
        return '<div id="explorer"></div>\n' if kind == "explore" else ""  # the quiz goes into its section
    shown = baked.get(name, cells.Baked())
    out = f'<pre class="out">{escape(shown.text.rstrip())}</pre>' if shown.text.strip() else ""
    if shown.picture:
        width, height = shown.size
        out += (
            f'<img src="../../{picture_path(sources.lab.name, name)}" width="{width}" height="{height}" loading="lazy" '
            f'alt="{escape(texts.say(lang, "web.picture"))}">'
        )
    what = f'class="cell" data-cell="{name}"' if name != SETUP else 'class="given"'
    below = f'<div class="baked">{out}</div>' if out else ""
    return f"<figure {what}>{prose.code(source)}{below}</figure>\n"


def picture_path(lab: str, cell: str) -> str:
    """Return where a cell's picture stands in the site."""
    return f"assets/pictures/{lab}-{cell}.png"


def index(lessons: dict, assets: dict[str, str], policy: str) -> str:
    """Return the first page: every lab in every language.

    `lessons` holds for each language the ``(name, title)`` of its labs.
    """
    lists = "".join(
        f'<section lang="{lang}"><h2>{NAMES[lang]}</h2><p>{escape(texts.say(lang, "web.intro"))}</p><ul class="labs">'
        + "".join(f'<li><a href="{lang}/{name}/">{escape(title)}</a></li>' for name, title in lessons[lang])
        + "</ul></section>"
        for lang in LANGUAGES
    )
    return f"""{_head("en", "attnlab", assets, policy)}
<body class="index">
<main><h1>attnlab</h1>
{lists}</main>
</body>
</html>
"""
