"""The data that a page's script reads: exercises, hints, quiz, cells, sentences, and where everything is."""

import json
import tomllib

from .. import texts
from ..authoring.scripts import exercise_text
from ..authoring.sources import LANGUAGES, Sources
from ..student import hints, quiz
from . import cells, exploring, prose
from .limits import LIMITS

VERSION = 1
FOR_SCRIPT = "page_"  # how the ids of sentences begin that only the script says


def document(sources: Sources, lang: str, python: dict, assets: dict, course: tuple[str, ...]) -> dict:
    """Return the data of one lesson page; `course` names the labs of the site."""
    lab = sources.lab
    order = [b.name for b in sources.lessons[lang].of("cell") if cells.widget(sources.cells[b.name]) is None]
    keys = tomllib.loads(lab.folder.joinpath("quiz.toml").read_text(encoding="utf-8"))
    sections = {entry["id"]: entry["section"] for entry in keys["question"]}
    return {
        "version": VERSION,
        "lab": lab.name,
        "lang": lang,
        "lab_title": sources.lessons[lang].title,
        "base": "../../",
        "python": python,
        "assets": assets,
        "limits": LIMITS,
        "stub": exercise_text(sources).replace(f"exercises/{lab.name}.py", f"{lab.name}.py"),
        "parts": [
            {"name": p.name, "function": p.function, "bonus": p.bonus, "points": lab.points(p.name)} for p in lab.parts
        ],
        "functions": list(lab.functions),
        "hints": {part: [prose.line(text) for text in levels] for part, levels in hints.hints(lab, lang).items()},
        "quiz": [_question(question, sections[question.id]) for question in quiz.questions(lab, lang)],
        "explorer": exploring.opening(lang) if any(map(_explores, sources.cells.values())) else None,
        "cells": {
            name: json.dumps([name, cells.before(sources, name, lang), cells.code(sources, name, lang)])
            for name in order
        },
        "texts": {id: text for id, text in texts.catalogue(lang).items() if id.startswith(f"web.{FOR_SCRIPT}")},
        "other": {other: f"../../{other}/{lab.name}/" for other in LANGUAGES},
        "labs": [{"name": name, "title": texts.say(lang, f"web.lab_{name}"), "href": f"../{name}/"} for name in course],
    }


def _explores(source):
    return cells.widget(source) == "explore"


def _question(question, section):
    return {
        "id": question.id,
        "section": section,
        "kind": question.kind,
        "text_html": prose.line(question.text),
        "explanation_html": prose.line(question.explanation),
        "how_html": prose.line(question.how_to_answer()),
        "right": list(question.right),
        "tolerance": question.tolerance,
        "options": [
            {"letter": letter, "text_html": prose.line(text), "why_html": prose.line(why)}
            for letter, text, why in question.options
        ],
        "slips": [
            {"value": list(value) if isinstance(value, tuple) else value, "why_html": prose.line(why)}
            for value, why in question.slips
        ],
    }
