"""Everything that is written of a result, in an order in which nothing is lost: files, gradebook, record."""

import os
import stat
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from ..files import write_whole
from . import records
from .course import Course
from .gradebook import Entry, Writer
from .worker import Result

READ_ONLY = 0o444  # what nbgrader gives autograded files
MAX_COPY = 100 << 20  # of a file handed in beside the notebook


def deliver(course: Course, assignment: str, results: Sequence[Result], writer: Writer) -> None:
    """Write a batch. Interrupted anywhere, the next run finds no record of it and writes it again."""
    if not results:
        return
    for result in results:
        _notebooks(course, assignment, result)
        _pages(course, assignment, result)
    if hasattr(os, "sync"):
        os.sync()  # files before the gradebook, which syncs itself
    entries = [Entry(r.job.student, r.job.timestamp, r.scores, r.comments) for r in results]
    recorded = writer.record(entries)
    for result in results:
        now = recorded[result.job.student]
        points = {"score": now.score, "late_penalty": now.late_penalty, "manual": now.needs_manual}
        highest = sum(c["max_points"] for n in result.record["notebooks"] for c in n["cells"])
        records.save(course.records(assignment), result.record | points | {"max_score": highest})


def _notebooks(course, assignment, result):
    """Write the autograded notebooks, and beside them what else was handed in or belongs to the assignment."""
    folder = course.folder("autograded", result.job.student, assignment)
    _make(folder)
    wanted = {f"{name}.ipynb" for name in result.notebooks}
    for stale in folder.glob("*.ipynb"):
        if stale.name not in wanted and not stale.is_dir():
            stale.unlink()
    own = course.folder("source", ".", assignment)
    for base in (Path(result.job.folder), own):
        for path, relative in _others(base, course.directory.ignore):
            target = folder / relative
            _make(target.parent)
            write_whole(target, path.read_bytes(), READ_ONLY, sync=False)
    for name, text in result.notebooks.items():
        write_whole(folder / f"{name}.ipynb", text, READ_ONLY, sync=False)


def _make(folder):
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _others(base, ignored):
    """Yield the plain files of a folder besides notebooks, as nbgrader copies them; links and devices are left."""
    for root, folders, names in os.walk(base):
        folders[:] = [f for f in folders if not any(fnmatch(f, pattern) for pattern in ignored)]
        for name in names:
            path = Path(root, name)
            if name.endswith(".ipynb") or any(fnmatch(name, pattern) for pattern in ignored):
                continue
            try:
                status = path.lstat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode) and status.st_size <= MAX_COPY and os.access(path, os.R_OK):
                yield path, path.relative_to(base)


def _pages(course, assignment, result):
    folder = course.folder("feedback", result.job.student, assignment)
    _make(folder)
    for name, page in result.pages.items():
        write_whole(folder / f"{name}.html", page, sync=False)


def is_whole(course: Course, assignment: str, student: str, notebooks: Sequence[str]) -> bool:
    """Say whether everything that was written of a student is still there."""
    graded = course.folder("autograded", student, assignment)
    told = course.folder("feedback", student, assignment)
    return all((graded / f"{n}.ipynb").is_file() and (told / f"{n}.html").is_file() for n in notebooks)
