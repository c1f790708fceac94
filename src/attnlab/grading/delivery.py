"""Everything that is written of a result, in an order in which nothing is lost: files, gradebook, record."""

import os
import shutil
import stat
from collections.abc import Sequence
from fnmatch import fnmatch
from pathlib import Path

from ..files import write_whole
from . import records
from .course import Course
from .gradebook import Entry, Writer
from .handed_in import compared, show_name
from .worker import Result

READ_ONLY = 0o444  # what nbgrader gives autograded files
MAX_COPY = 100 << 20  # bytes of all files handed in beside the notebook, and how many they may be
MAX_FILES = 2000


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
    files, _ = _beside(course, assignment, Path(result.job.folder), [*result.notebooks])
    for relative, path in files:
        write_whole(_free(folder, relative), path.read_bytes(), READ_ONLY, sync=False)
    for name, text in result.notebooks.items():
        write_whole(_free(folder, Path(f"{name}.ipynb")), text, READ_ONLY, sync=False)


def not_copied(course: Course, assignment: str, submitted: Path, notebooks: Sequence[str]) -> list[str]:
    """Return the names of files handed in that are too large, or too many, to be copied beside the notebooks."""
    return _beside(course, assignment, submitted, notebooks)[1]


def _beside(course, assignment, submitted, notebooks):
    """Return what goes beside the autograded notebooks, pairs of place and file, and the names of what is too much.

    No file handed in goes where a notebook, a page or a file of the assignment goes, or where their folders are.
    """
    base = course.folder("source", ".", assignment)
    own = [(relative, path) for path, relative, _ in _others(base, course.directory.ignore)]
    files = {_key(relative) for relative, _ in own}
    files |= {compared(name + suffix) for name in notebooks for suffix in (".ipynb", ".html")}  # nbgrader's pages, too
    folders = {_key(parent) for relative, _ in own for parent in relative.parents}
    found, too_much, left = [], [], MAX_COPY
    for path, relative, size in _others(submitted, course.directory.ignore):
        if _key(relative) in folders or not files.isdisjoint(map(_key, (relative, *relative.parents))):
            continue
        if size > left or len(found) >= MAX_FILES:
            too_much.append(show_name(relative.as_posix()))
            continue
        found.append((relative, path))
        left -= size
    return found + own, too_much


def _key(relative):
    return compared(relative.as_posix())  # some systems take names for one that others tell apart


def _free(folder, relative):
    """Return where a file goes, what an earlier hand-in had in its way taken out."""
    for parent in reversed(relative.parents):
        _make(folder / parent)
    target = folder / relative
    if target.is_dir() and not target.is_symlink():
        shutil.rmtree(target)
    return target


def _make(folder):
    if folder.is_symlink() or (folder.exists() and not folder.is_dir()):
        folder.unlink()
    folder.mkdir(parents=True, exist_ok=True)


def _others(base, ignored):
    """Yield the plain files of a folder besides notebooks, as nbgrader copies them: path, place and size.

    Links and devices are left.
    """
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
            if stat.S_ISREG(status.st_mode) and os.access(path, os.R_OK):
                yield path, path.relative_to(base), status.st_size


def _pages(course, assignment, result):
    folder = course.folder("feedback", result.job.student, assignment)
    _make(folder)
    for name, page in result.pages.items():
        write_whole(_free(folder, Path(f"{name}.html")), page, sync=False)


def is_whole(course: Course, assignment: str, student: str, notebooks: Sequence[str]) -> bool:
    """Say whether everything that was written of a student is still there."""
    graded = course.folder("autograded", student, assignment)
    told = course.folder("feedback", student, assignment)
    return all((graded / f"{n}.ipynb").is_file() and (told / f"{n}.html").is_file() for n in notebooks)
