"""The writer of the gradebook: what nbgrader itself would have written, on SQLite and on a real PostgreSQL server."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from datetime import datetime, timedelta
from itertools import count

import postgres
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: no gradebook to write")

from nbgrader import dbutil
from nbgrader.api import Gradebook

from attnlab.grading.gradebook import Entry, GradebookError, Writer, open_gradebook

KEYS = [("a", "check-1"), ("a", "check-2"), ("a", "essay"), ("b", "check-3")]
DUE = datetime(2026, 5, 1, 12)


@pytest.fixture(scope="module")
def _server():
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed: the gradebook is tested on SQLite only")
    with postgres.server() as url:
        yield url


@pytest.fixture(scope="module")
def templates(tmp_path_factory):
    """``new(kind, server) -> address`` of a copy of a gradebook that is made once: nbgrader takes seconds for one."""
    folder, numbers = tmp_path_factory.mktemp("gradebooks"), count()

    def new(kind, server):
        number = next(numbers)
        if kind == "sqlite":
            if not (folder / "template.db").exists():
                _fill(f"sqlite:///{folder}/template.db")
            shutil.copy(folder / "template.db", folder / f"{number}.db")
            return f"sqlite:///{folder}/{number}.db"
        if not (folder / "postgresql").exists():
            _fill(server()("template_book"))
            (folder / "postgresql").touch()
        return server()(f"book{number}", "template_book")

    return new


def test_a_new_gradebook_is_of_the_version_that_nbgrader_gives_it(tmp_path, monkeypatch):
    path = tmp_path / "new.db"
    monkeypatch.setenv("PATH", "")  # nothing is asked of a program
    open_gradebook(f"sqlite:///{path}", "course").close()
    monkeypatch.undo()
    with closing(sqlite3.connect(path)) as db:
        found = db.execute("SELECT version_num FROM alembic_version").fetchall()
    monkeypatch.setenv("PATH", os.path.dirname(sys.executable), prepend=os.pathsep)
    with dbutil._temp_alembic_ini(f"sqlite:///{path}") as ini:
        said = subprocess.run(["alembic", "-c", ini, "heads"], capture_output=True, text=True, check=True).stdout
    assert [(said.split()[0],)] == found


def _fill(url):
    with open_gradebook(url, "course") as gradebook:
        gradebook.add_assignment("hw", duedate=DUE)
        for notebook in ("a", "b"):
            gradebook.add_notebook(notebook, "hw")
        for notebook, cell in KEYS:
            gradebook.add_grade_cell(cell, notebook, "hw", max_score=4, cell_type="code")
        gradebook.add_solution_cell("stub-1", "a", "hw")
        gradebook.add_task_cell("task", "b", "hw", max_score=2, cell_type="markdown")


@pytest.fixture(params=["sqlite", "postgresql"])
def book(request, templates):
    """The address of a gradebook with one assignment of two notebooks."""
    return templates(request.param, lambda: request.getfixturevalue("_server"))


@pytest.fixture
def writer(book):
    """``writer(penalty=...) -> Writer``; all are closed in the end."""
    opened = []

    def open_writer(penalty=lambda student, score, late: None):
        opened.append(Writer(book, "course", "hw", penalty))
        return opened[-1]

    yield open_writer
    for one in opened:
        one.close()


def entry(student, *scores, timestamp=None, comment="No response."):
    """Return an entry with points for `KEYS`."""
    given = dict(zip(KEYS, scores, strict=True)) | {("b", "task"): None}
    return Entry(student, timestamp, given, {("a", "stub-1"): comment})


def state(url):
    """Return what a gradebook says, without the random ids."""
    with Gradebook(url, "course") as gradebook:
        found = {}
        for submission in gradebook.assignment_submissions("hw"):
            cells = {
                (n.name, g.name): (g.auto_score, g.manual_score, g.extra_credit, g.needs_manual_grade, g.score)
                for n in submission.notebooks for g in n.grades
            }  # fmt: skip
            comments = {(n.name, c.name): c.comment for n in submission.notebooks for c in n.comments}
            whole = submission.score, submission.timestamp, submission.late_submission_penalty
            found[submission.student.id] = whole, cells, comments
        return found


def test_it_writes_what_nbgrader_writes(writer, book):
    stamp = datetime(2026, 4, 30)
    writer().record([entry("ada", 4.0, 1.5, None, 0.0, timestamp=stamp)])
    ours = state(book)["ada"]
    with Gradebook(book, "course") as gradebook:
        gradebook.add_student("bob")
        gradebook.update_or_create_submission("hw", "bob", timestamp=stamp)
        for (notebook, cell), score in zip(KEYS, (4.0, 1.5, None, 0.0), strict=True):
            grade = gradebook.find_grade(cell, notebook, "hw", "bob")
            grade.auto_score, grade.needs_manual_grade = score, score is None
        gradebook.find_comment("stub-1", "a", "hw", "bob").auto_comment = "No response."
        gradebook.db.commit()
    assert ours == state(book)["bob"]
    assert ours[0][0] == 5.5


def test_a_batch_and_its_repetition_give_the_same_book(writer, book):
    batch = [entry(f"s{i}", i % 5, 1.0, None, 0.0) for i in range(30)]
    one = writer()
    first = one.record(batch)
    before = state(book)
    assert one.record(batch) == first
    assert state(book) == before
    assert one.recorded() == {f"s{i}" for i in range(30)}


def test_manual_scores_comments_and_extra_credit_are_kept_and_asked_about_again(writer, book):
    one = writer()
    one.record([entry("ada", 1.0, 1.0, None, 1.0)])
    with Gradebook(book, "course") as gradebook:
        grade = gradebook.find_grade("essay", "a", "hw", "ada")
        grade.manual_score, grade.extra_credit, grade.needs_manual_grade = 3.0, 0.5, False
        gradebook.find_comment("stub-1", "a", "hw", "ada").manual_comment = "by hand"
        gradebook.db.commit()
    recorded = one.record([entry("ada", 4.0, 4.0, None, 4.0, comment=None)])["ada"]
    (score, *_), cells, comments = state(book)["ada"]
    assert score == recorded.score == 15.5
    assert cells["a", "essay"] == (None, 3.0, 0.5, True, 3.5)
    assert comments["a", "stub-1"] == "by hand"


def test_late_work_is_charged_by_the_plugin_within_bounds(writer, book):
    asked = []

    def penalty(student, score, late):
        asked.append((student, score, late))
        return {"early": None, "late": 1.0, "greedy": 99.0, "negative": -5.0}[student]

    one = writer(penalty)
    stamps = {"early": DUE - timedelta(1), "late": DUE + timedelta(hours=1), "greedy": DUE + timedelta(1)}
    stamps["negative"] = DUE + timedelta(1)
    done = one.record([entry(s, 2.0, 2.0, None, 3.0, timestamp=t) for s, t in stamps.items()])
    assert {s: r.late_penalty for s, r in done.items()} == {"early": 0, "late": 2.0, "greedy": 7.0, "negative": 0}
    assert ("late", 4.0, 3600.0) in asked
    assert {student for student, *_ in asked} == {"late", "greedy", "negative"}
    with Gradebook(book, "course") as gradebook:
        gradebook.grant_extension("hw", "late", hours=2)
    assert one.record([entry("late", 2.0, 2.0, None, 3.0, timestamp=stamps["late"])])["late"].late_penalty == 0


def test_a_batch_is_written_whole_or_not_at_all(writer, book):
    one = writer()
    with pytest.raises(GradebookError) as caught:
        one.record([entry("ada", 1.0, 1.0, None, 1.0), entry("bob", "many", 1.0, None, 1.0)])
    assert caught.value.message == "grade.gradebook_failed"
    assert state(book) == {}
    assert one.record([entry("ada", 1.0, 1.0, None, 1.0)])["ada"].score == 3


def test_an_assignment_that_is_not_there_is_told(book):
    with pytest.raises(GradebookError) as caught:
        Writer(book, "course", "other", None)
    assert caught.value.message == "grade.not_in_gradebook"


def test_a_password_is_never_shown():
    with pytest.raises(GradebookError) as caught:
        Writer("postgresql://me:hunter2@127.0.0.1:1/none", "course", "hw", None)
    assert caught.value.message == "grade.no_gradebook"
    assert "hunter2" not in str(caught.value.facts)


def test_a_gradebook_that_somebody_else_writes_to_is_waited_for(templates):
    url = templates("sqlite", None)
    writer = Writer(url, "course", "hw", None)
    other = sqlite3.connect(url.removeprefix("sqlite:///"), check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    held = threading.Timer(6.5, other.rollback)  # longer than SQLite itself waits
    held.start()
    assert writer.record([entry("ada", 1.0, 1.0, None, 1.0)])["ada"].score == 3
    assert not held.is_alive()
    writer.close()
