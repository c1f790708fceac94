"""What a worker does: one submission in, everything there is to write about it out. Knows no gradebook and no course.

Nothing here imports nbgrader: a worker starts in a fraction of a second and stays small.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from .. import texts
from ..emit import as_json
from ..sandbox.host import Host
from ..sandbox.limits import Limits
from ..sandbox.tiers import ALL, Tier
from . import autograded, feedback
from .arrivals import Arrival, collect
from .handed_out import SourceNotebook
from .marking import Marks, Rules, mark_notebook, nothing
from .matching import Note

PACKAGES = ("numpy", "scipy")  # what student code may import besides the standard library, where installed


@dataclass(frozen=True)
class Setup:
    """What every worker is told once: the assignment's notebooks, the rules, and how student code is confined."""

    assignment: str
    sources: tuple[SourceNotebook, ...]
    rules: Rules
    tier: str
    limits: Limits
    packages: tuple[str, ...]


@dataclass(frozen=True)
class Job:
    """One submission. `timestamp` is when it was handed in, in UTC; `notes` is what there is to say of it already."""

    student: str
    folder: str
    digest: str
    timestamp: datetime | None
    notes: tuple[Note, ...] = ()


@dataclass(frozen=True)
class Result:
    """What became of one submission: points and comments by ``(notebook, grade_id)``, files to write, the record."""

    job: Job
    scores: dict[tuple[str, str], float | None]
    comments: dict[tuple[str, str], str | None]
    notebooks: dict[str, str]
    pages: dict[str, str]
    record: dict
    wall_limited: bool = False


class Worker:
    """Grades one submission after another, in a confined process each.

    Parameters
    ----------
    setup : Setup
    tier : Tier
        Has passed its self-test on this machine.
    """

    def __init__(self, setup: Setup, tier: Tier):
        self._setup = setup
        self._host = Host(tier, setup.limits, setup.packages)

    def grade(self, job: Job) -> Result:
        """Grade a submission. Whatever it holds, something comes of it."""
        began, used = time.monotonic(), time.process_time()
        arrivals = {a.notebook: a for a in collect(Path(job.folder), self._setup.sources)}
        scores, comments, notebooks, pages, told = {}, {}, {}, {}, []
        limited = False
        for source in self._setup.sources:
            arrival = arrivals[source.name]
            arrival = replace(arrival, notes=(*job.notes, *arrival.notes))
            marks = self._marks(source, arrival)
            limited = limited or marks.wall_limited
            lang = language(source.document, self._setup.rules.lang)
            document = source.released if arrival.document is None else arrival.document
            points, said = autograded.scores(source, document, marks, arrival.unreadable is not None)
            scores |= {(source.name, name): value for name, value in points.items()}
            comments |= {(source.name, name): value for name, value in said.items()}
            notes = tuple(texts.say(lang, n.message, n.facts) for n in arrival.notes)
            sentence = self._sentence(arrival, lang)
            notebooks[source.name] = autograded.text(document, marks, (sentence,) if sentence else notes, lang)
            by_hand = sum(source.points[name] for name, value in points.items() if value is None)
            about = feedback.Page(self._setup.assignment, job.student, notes, sentence, by_hand)
            pages[source.name] = feedback.page(about, marks, lang)
            told.append(_notebook_record(source, arrival, marks, points))
        record = {
            "student": job.student,
            "assignment": self._setup.assignment,
            "digest": job.digest,
            "timestamp": job.timestamp.isoformat() if job.timestamp else None,
            "seconds": round(time.monotonic() - began, 3),
            "cpu": round(time.process_time() - used, 3),
            "retried": False,
            "notebooks": told,
        }
        return Result(job, scores, comments, notebooks, pages, record, limited)

    def close(self) -> None:
        """End the process in which student code runs."""
        self._host.close()

    def _marks(self, source: SourceNotebook, arrival: Arrival) -> Marks:
        if arrival.unreadable is not None:
            return nothing(source.document, self._sentence(arrival, self._setup.rules.lang), source.name)
        return mark_notebook(source.document, arrival.chunks, self._setup.rules, self._host, source.name)

    @staticmethod
    def _sentence(arrival, lang):
        note = arrival.unreadable
        return None if note is None else texts.say(lang, note.message, note.facts)


def language(document: Mapping, default: str) -> str:
    """Return the language of a notebook of the course."""
    found = document.get("metadata", {}).get("attnlab", {}).get("lang")
    return found if found in texts.LANGUAGES else default


def _notebook_record(source, arrival, marks, points):
    def plain(note):
        return None if note is None else {"message": note.message, "facts": note.facts}

    report = marks.report
    return {
        "name": source.name,
        "lab": report.lab.name if report else None,
        "file": arrival.path.as_posix() if arrival.path else None,
        "unreadable": plain(arrival.unreadable),
        "notes": [plain(note) for note in arrival.notes],
        "cells": [
            {"grade_id": name, "points": value, "max_points": source.points[name], "manual": value is None}
            for name, value in points.items()
        ],
        "report": as_json.document(report, "en") if report else None,
        "behaviour": {r.part.name: r.behaviour for r in report.parts if r.behaviour} if report else {},
    }


_worker = None


def start(setup: Setup) -> None:
    """Make this process a worker; it ends when the process that started it does, however that ends."""
    global _worker
    import gc
    import os
    import signal
    import threading
    from multiprocessing import parent_process, util

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that records
    tier = next(tier for tier in ALL if tier.name == setup.tier)  # tested by the process that started this one
    _worker = Worker(setup, tier)
    gc.collect()
    gc.freeze()  # what is here by now stays: it need not be looked through again and again
    util.Finalize(None, _worker.close, exitpriority=1)  # such processes end without `atexit`

    def end_with_parent():
        parent_process().join()
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()


def grade(job: Job) -> Result:
    """Grade one submission in a process that `start` made a worker."""
    return _worker.grade(job)
