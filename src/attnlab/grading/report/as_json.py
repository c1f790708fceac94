"""The report as one JSON document."""

import json
from dataclasses import asdict

from .statistics import Overview
from .wording import Wording

VERSION = 1


def document(found: list[Overview], lang: str) -> dict:
    """Return the document as plain data; sentences are in `lang`, everything else is the same in every language."""
    return {"version": VERSION, "assignments": [_assignment(entry, Wording(lang)) for entry in found]}


def dumps(found: list[Overview], lang: str) -> str:
    """Return the document as text: ASCII only, so that no encoding can break it."""
    return json.dumps(document(found, lang), indent=1, allow_nan=False) + "\n"


def _assignment(found, words):
    return {
        "assignment": found.assignment.name,
        "marks": None if found.marks is None else asdict(found.marks),
        "students": [
            {
                "student": record.student,
                "timestamp": record.timestamp,
                "score": record.final,
                "raw_score": record.score,
                "late_penalty": record.late_penalty,
                "max_score": record.max_score,
                "manual": record.manual,
                "retried": record.retried,
                "parts": {part.name: part.status for notebook in record.notebooks for part in notebook.parts},
            }
            for record in found.assignment.records
        ],
        "parts": [asdict(part) for part in found.parts],
        "misconceptions": [
            {"lab": m.lab, "part": m.part, "id": m.id, "what": words.misconception(m), "students": list(m.students)}
            for m in found.misconceptions
        ],
        "clusters": [asdict(cluster) for cluster in found.clusters],
        "single_behaviours": found.single,
        "checks": [
            {
                "lab": entry.lab,
                "id": entry.check,
                "part": entry.part,
                "title": words.difficulty_title(entry),
                "bonus": entry.bonus,
                "judged": entry.judged,
                "passed": entry.passed,
                "share": entry.share,
                "discrimination": entry.discrimination,
            }
            for entry in found.difficulty
        ],
        "unreadable": [_sentence(entry, words) for entry in found.unreadable],
        "repaired": [_sentence(entry, words) for entry in found.repaired],
        "damaged": [{"file": d.file, "why": d.why.say(words.lang)} for d in found.assignment.damaged],
        "waiting": list(found.assignment.waiting),
    }


def _sentence(entry, words):
    told = entry.told
    return {"student": entry.student, "message": told.message, "facts": told.facts, "text": told.say(words.lang)}
