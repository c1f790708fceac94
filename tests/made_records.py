"""Classes for the tests of reports: records as the grader writes them, made from reports on real files."""

import hashlib
import json
import random
from pathlib import Path

from attnlab.emit import as_json


def notebook(document, name="attention", lab="attention", notes=(), unreadable=None):
    """One notebook of a record; parts that fail get a digest of what was told of them as their behaviour."""
    failed = {}
    for part, result in (document or {"functions": {}})["functions"].items():
        if result["status"] not in ("passed", "todo", "missing"):
            told = [(c["outcome"], c["message"]) for c in document["checks"] if c["function"] == part]
            failed[part] = hashlib.sha256(repr(told).encode()).hexdigest()[:16]
    cells = [
        {"grade_id": f"check-{part}", "points": result["score"], "max_points": result["max_score"], "manual": False}
        for part, result in (document or {"functions": {}})["functions"].items()
    ]
    return {
        "name": name, "lab": lab, "file": f"{name}.ipynb", "unreadable": unreadable, "notes": list(notes),
        "cells": cells, "report": document, "behaviour": failed,
    }  # fmt: skip


def record(student, *notebooks, assignment="attention", **fields):
    """A student's record."""
    documents = [n["report"] for n in notebooks if n["report"] is not None]
    return {
        "version": 1, "student": student, "assignment": assignment, "digest": "0" * 64,
        "timestamp": "2026-11-20T10:00:00+00:00", "seconds": 0.2, "cpu": 0.1, "retried": False, "late_penalty": 0.0,
        "manual": False, "score": sum(d["score"] for d in documents),
        "max_score": sum(d["max_score"] for d in documents) or 10.0, "notebooks": list(notebooks),
    } | fields  # fmt: skip


def save(course: Path, *records):
    """Write records where the grader does."""
    for entry in records:
        path = course / ".attnlab" / entry["assignment"] / f"{entry['student']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(entry, ensure_ascii=False), encoding="utf-8")
    return course


def crowd(course: Path, documents, count: int, seed: int = 0):
    """Write a class in which some documents are more common than others, and some students are late, and so on."""
    draw = random.Random(seed)
    weights = [1 / (1 + number % 7) for number in range(len(documents))]
    for number in range(count):
        student = f"s{number:04}"
        if draw.random() < 0.02:
            told = {"message": "read.not_json", "facts": {"path": "attention.ipynb", "line": draw.randrange(1, 900)}}
            save(course, record(student, notebook(None, unreadable=told), score=0.0))
            continue
        notes = []
        if draw.random() < 0.08:
            notes.append({"message": "arrival.put_back", "facts": {"cells": "check-softmax"}})
        (document,) = draw.choices(documents, weights)
        late = draw.random() < 0.06
        more = {"late_penalty": 1.0 if late else 0.0, "manual": draw.random() < 0.04, "retried": draw.random() < 0.03}
        save(course, record(student, notebook(document, notes=notes), **more))
    return course


def documents(judged, sources):
    """Documents of reports on pieces of source."""
    return [as_json.document(judged(source), "en") for source in sources]
