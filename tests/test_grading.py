"""`attnlab grade`: marks, what nbgrader makes of them afterwards, resuming, losses, instructors' own checks."""

import csv
import errno
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import Future, wait

import postgres
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

import classes
from classes import FLAT, SOLUTION, hand_in, state, url_of, written
from nbgrader.api import Gradebook
from nbgrader.apps.api import NbGraderAPI
from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from attnlab import labs
from attnlab.checking import cases as drawn
from attnlab.grading import delivery, grader, marks, records, session
from attnlab.grading.course import open_course
from attnlab.grading.demo.run import nbgrader_environment
from attnlab.grading.handed_out import SourceNotebook
from attnlab.grading.marking import Rules
from attnlab.grading.worker import PACKAGES, Setup
from attnlab.sandbox import tiers
from attnlab.sandbox.limits import Limits

pytestmark = pytest.mark.xdist_group("test_grading")  # its course takes long to make

ENDLESS = "\n\ndef causal_self_attention(X, W_q, W_k, W_v, W_gate=None):\n    while True:\n        pass\n"
NOISY = (
    "\n\ndef softmax(x):\n    import sys, warnings\n    warnings.warn('hm')\n    print('x' * 999, file=sys.stderr)\n"
    "    x = x - x.max(-1, keepdims=True)\n    return np.exp(x) / np.exp(x).sum(-1, keepdims=True)\n"
)
STUDENTS = {
    "ада": SOLUTION,
    "bob": SOLUTION + FLAT,
    "eve": SOLUTION + ENDLESS,
    "ned": SOLUTION + NOISY,
}


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A course in which four students handed in, and a fifth something that is no notebook."""
    course = classes.course_template(tmp_path_factory.mktemp("courses") / "template")
    for student, script in STUDENTS.items():
        hand_in(course, student, script, timestamp="2026-05-01 12:00:00 UTC" if student == "bob" else "")
    folder = hand_in(course, "zoe", SOLUTION)
    (folder / "attention.ipynb").write_text('{"cells": [', encoding="utf-8")
    (folder / "data.csv").write_text("1,2", encoding="utf-8")
    return course


@pytest.fixture
def course(template, tmp_path):
    """A copy of it."""
    return classes.copied(template, tmp_path / "курс")


@pytest.fixture(scope="module")
def done(template, tmp_path_factory):
    """A copy of it, graded, and the summary."""
    course = classes.copied(template, tmp_path_factory.mktemp("courses") / "done")
    return course, graded(course)


def graded(course, **options):
    """Grade a course as the command does."""
    options = {"jobs": 2, "tier": "auto"} | options
    return session.grade(session.Options(course, options.pop("assignment", "attention"), **options), "en", None)


def setup_and_jobs(course):
    """Return what a pool is told of a course, and its submissions."""
    opened = open_course(course)
    sources = SourceNotebook.load_all(course / "source" / "attention")
    rules = Rules(opened.secret, opened.share, "en")
    setup = Setup("attention", sources, rules, tiers.choose("auto").name, Limits(), PACKAGES)
    return setup, grader.plan(opened, setup, None).jobs


def attnlab(*arguments, **options):
    """Run the command."""
    command = [sys.executable, "-c", "from attnlab.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=300, **options)


def scores(course):
    """Return the sum of each student."""
    return {student: found[0] for student, found in state(url_of(course)).items()}


def test_each_gets_the_marks_that_are_due(done):
    course, summary = done
    found = scores(course)
    assert found["ада"] == found["ned"] == 10
    assert 0 < found["bob"] < 10
    assert found["eve"] == 1 + 2 + 4  # all but the one that never ends
    assert found["zoe"] == 0
    assert summary.graded == 5
    assert summary.full == 2
    assert list(summary.unreadable) == ["zoe"]
    assert summary.broken == {}


def test_nbgrader_goes_on_from_there(done):
    course, _ = done
    directory = CourseDirectory(root=str(course), config=Config(), course_id="attnlab")
    api = NbGraderAPI(directory)
    for submission in api.get_submissions("attention"):
        assert submission["autograded"], submission["student"]
        assert submission["score"] == scores(course)[submission["student"]]
        assert not submission["needs_manual_grade"]
    environment = nbgrader_environment(course.parent)
    command = [sys.executable, "-m", "nbgrader"]
    exported = subprocess.run([*command, "export"], cwd=course, env=environment, capture_output=True, text=True)
    assert exported.returncode == 0, exported.stderr
    rows = csv.DictReader(io.StringIO((course / "grades.csv").read_text(encoding="utf-8")))
    assert {r["student_id"]: float(r["score"]) for r in rows if r["assignment"] == "attention"} == scores(course)
    told = [*command, "generate_feedback", "attention", "--student=bob", "--force"]
    assert subprocess.run(told, cwd=course, env=environment, capture_output=True).returncode == 0
    page = (course / "feedback" / "bob" / "attention" / "attention.html").read_text(encoding="utf-8")
    assert "HIDDEN TESTS" not in page
    assert "softmax: " in page


def test_what_students_read_is_small_and_holds_nothing_hidden(done, template):
    course, _ = done
    secret = (course / ".secret").read_text()
    for path in (course / "feedback").rglob("*.html"):
        if path.parent.parent.name == "bob":
            continue  # nbgrader wrote that one over
        page = path.read_text(encoding="utf-8")
        assert len(page) < 60_000
        assert secret not in page
        assert "HIDDEN" not in page
    page = (course / "feedback" / "zoe" / "attention" / "attention.html").read_text(encoding="utf-8")
    assert "not valid JSON" in page


def test_files_handed_in_beside_the_notebook_are_kept(done):
    course, _ = done
    assert (course / "autograded" / "zoe" / "attention" / "data.csv").read_text() == "1,2"


def test_no_file_handed_in_takes_the_place_of_the_grader_s_own(course):
    (course / "source" / "attention" / "data").mkdir()
    (course / "source" / "attention" / "data" / "given.csv").write_text("1", encoding="utf-8")
    submitted = {student: course / "submitted" / student / "attention" for student in STUDENTS}
    inside = submitted["ада"] / "attention.ipynb"
    work = inside.read_bytes()
    inside.unlink()
    for name in ("attention.ipynb", "Attention.ipynb", "attention.html", "data/given.csv"):
        (submitted["ада"] / name).mkdir(parents=True, exist_ok=True)
        (submitted["ада"] / name / "notes.txt").write_text("hello", encoding="utf-8")
    (inside / "attention.ipynb").write_bytes(work)
    (submitted["ned"] / "data").write_text("a file where a folder goes", encoding="utf-8")
    (submitted["bob"] / "mine" / "deep").mkdir(parents=True)
    (submitted["bob"] / "mine" / "deep" / "a.csv").write_text("1", encoding="utf-8")
    (submitted["eve"] / "mine").write_text("1", encoding="utf-8")
    summary = graded(course)
    assert (summary.graded, summary.broken) == (5, {})
    assert scores(course)["ада"] == 10
    for student in STUDENTS:
        folder = course / "autograded" / student / "attention"
        assert (folder / "data" / "given.csv").read_text(encoding="utf-8") == "1"
        assert (folder / "attention.ipynb").is_file()
        assert not [*folder.glob("**/notes.txt"), *folder.glob("*.html")]
    for one, other in (("bob", "eve"), ("eve", "bob")):  # now a folder comes where a file was, and the other way round
        shutil.rmtree(course / "submitted" / one)
        folder = hand_in(course, one, SOLUTION)
        if other == "bob":
            (folder / "mine" / "deep").mkdir(parents=True)
            (folder / "mine" / "deep" / "a.csv").write_text("2", encoding="utf-8")
        else:
            (folder / "mine").write_text("2", encoding="utf-8")
    (course / "feedback" / "bob" / "attention" / "attention.html").unlink()
    (course / "feedback" / "bob" / "attention" / "attention.html").mkdir()
    summary = graded(course)
    assert (summary.graded, summary.broken) == (2, {})
    assert (course / "autograded" / "bob" / "attention" / "mine").read_text(encoding="utf-8") == "2"
    assert (course / "autograded" / "eve" / "attention" / "mine" / "deep" / "a.csv").is_file()


def test_what_is_copied_beside_a_notebook_is_bounded_and_the_rest_is_told(course, monkeypatch):
    monkeypatch.setattr(delivery, "MAX_COPY", 1000)
    for n in range(4):
        (course / "submitted" / "bob" / "attention" / f"{n}.bin").write_bytes(bytes(400))
    graded(course, students=("bob",))
    folder = course / "autograded" / "bob" / "attention"
    assert sum(path.stat().st_size for path in folder.glob("*.bin")) == 800
    told = (course / "feedback" / "bob" / "attention" / "attention.html").read_text(encoding="utf-8")
    assert "too large, or too many, to be copied" in told


def test_nothing_is_graded_twice_and_whatever_changes_is_graded_again(course):
    assert graded(course).graded == 5
    before = state(url_of(course)), written(course)
    again = graded(course)
    assert (again.graded, again.unchanged) == (0, 5)
    hand_in(course, "bob", SOLUTION, timestamp="2026-05-02 12:00:00 UTC")
    (course / "autograded" / "eve" / "attention" / "attention.ipynb").unlink()
    with Gradebook(url_of(course), "attnlab") as gradebook:
        gradebook.remove_submission("attention", "ned")
    assert graded(course).graded == 3
    assert scores(course)["bob"] == 10
    assert state(url_of(course))["bob"][1] == "2026-05-02 12:00:00"
    same = {s: v for s, v in state(url_of(course)).items() if s != "bob"}
    assert same == {s: v for s, v in before[0].items() if s != "bob"}
    assert graded(course, students=("b*", "ада"), force=True).graded == 2


def test_a_mark_given_by_hand_outlives_a_regrade(course):
    graded(course, students=("bob",))
    with Gradebook(url_of(course), "attnlab") as gradebook:
        grade = gradebook.find_grade("check-softmax", "attention", "attention", "bob")
        grade.manual_score, grade.needs_manual_grade = 2.0, False
        gradebook.db.commit()
    with_it = scores(course)["bob"]
    graded(course, students=("bob",), force=True)
    _, _, cells, _, _ = state(url_of(course))["bob"]
    assert scores(course)["bob"] == with_it
    assert cells["attention", "check-softmax"][1] == 2.0
    assert records.load(course / ".attnlab" / "attention", "bob")["score"] == with_it


def test_all_tiers_give_the_same_marks(done, template, tmp_path):
    wanted = state(url_of(done[0]))
    for tier in tiers.available():
        course = classes.copied(template, tmp_path / tier.name)
        graded(course, tier=tier.name)
        assert state(url_of(course)) == wanted, tier.name


def test_postgresql_gets_the_same_gradebook(done, course):
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed: graded into SQLite only")
    with postgres.server() as url:
        address = url("book")
        graded(course, db=address)
        assert state(address) == state(url_of(done[0]))


def _endless(path):
    with open(path, "wb") as file:
        file.truncate(3 << 30)  # takes no room on the disk


@pytest.mark.parametrize(
    "odd",
    [_endless, os.mkdir, lambda p: p.write_bytes(b"\xff" * 9), lambda p: p.symlink_to("/dev/zero")],
    ids=["endless", "a folder", "no text", "a device"],
)
def test_whatever_stands_in_for_a_timestamp_costs_nobody_a_grade(course, odd):
    odd(course / "submitted" / "ада" / "attention" / "timestamp.txt")
    notes = {job.student: [note.message for note in job.notes] for job in setup_and_jobs(course)[1]}
    assert notes.pop("ада")[0] == "grade.bad_timestamp"
    assert len(notes) == 4
    assert not any(notes.values())


def test_a_timestamp_that_is_no_date_is_told_and_counts_as_none(course):
    (course / "submitted" / "ада" / "attention" / "timestamp.txt").write_text("soon", encoding="utf-8")
    assert graded(course, students=("ада",)).repaired == ["ада"]
    assert state(url_of(course))["ада"][:2] == (10, "None")
    assert "timestamp.txt" in (course / "feedback" / "ада" / "attention" / "attention.html").read_text(encoding="utf-8")


def test_killed_at_any_moment_it_resumes_to_the_same_result(done, course):  # fifty times: benchmarks/resume.py
    command = [sys.executable, "-c", "from attnlab.cli import main; main()", "grade", str(course), "-j", "2"]
    for moment in (random.uniform(2, 9), random.uniform(4, 12)):
        running = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
        time.sleep(moment)
        running.kill()
        running.wait()
    finished = subprocess.run(command, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr
    assert state(url_of(course)) == state(url_of(done[0]))
    ours, theirs = written(course), written(done[0])
    assert {k: v for k, v in ours.items() if "/bob/" not in k} == {k: v for k, v in theirs.items() if "/bob/" not in k}
    deadline = time.monotonic() + 10
    while str(course) in (left := processes()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert str(course) not in left


def processes():
    """Return the command lines of all processes."""
    return subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True).stdout


def test_a_worker_that_is_lost_costs_nobody_anything(course, monkeypatch):
    from attnlab.grading import pool

    class Unlucky(pool.LocalPool):
        def submit(self, job):
            future = super().submit(job)
            if job.student == "bob":
                next(iter(self._executor._processes.values())).kill()
            return future

    monkeypatch.setattr(session, "LocalPool", Unlucky)
    summary = graded(course)
    assert summary.graded == 5
    assert summary.broken == {}
    assert scores(course)["ада"] == 10


class Handed:
    """A pool that answers as it is told; the first submission is never heard of again."""

    workers = 1

    def __init__(self):
        self.left = []

    def submit(self, job):
        future = Future()
        if self.left:
            future.set_exception(RuntimeError("as told"))
        self.left.append(future)
        return future

    def alone(self, job):
        raise RuntimeError("alone")

    def is_loss(self, error):
        return False

    def is_dead(self, future):
        return future is self.left[0]


def test_a_submission_of_which_nobody_knows_any_more_is_graded_again(monkeypatch):
    from attnlab.grading import pool

    monkeypatch.setattr(pool, "LOOK", 0.1)
    told = {job: str(error) for job, error in pool.graded(Handed(), ["first", "second"])}
    assert told == {"second": "RuntimeError: as told", "first": "RuntimeError: alone"}


@pytest.mark.parametrize("moment", range(4))
def test_a_pool_that_breaks_while_work_is_handed_out_answers_for_all_of_it(moment, course):
    """However the loss of a worker and the next submission meet, nobody waits for ever."""
    from attnlab.grading import pool

    setup, jobs = setup_and_jobs(course)
    local = pool.LocalPool(setup, 2)
    try:
        first = local.submit(jobs[0])
        if moment:
            time.sleep(0.3 * moment)
        for process in list(local._executor._processes.values()):
            process.kill()
        rest = [local.submit(job) for job in jobs[1:]]
        wait([first, *rest], timeout=60)
        assert all(future.done() for future in (first, *rest))
    finally:
        local.close()


OWN = """
{
 "cell_type": "code", "execution_count": null, "id": "%(id)s", "outputs": [],
 "metadata": {"nbgrader": {"grade": true, "grade_id": "%(id)s", "locked": true, "points": %(points)s,
  "schema_version": 3, "solution": false, "task": false}},
 "source": %(source)s
}
"""
CHECKS = {
    "plain": (3, "x = np.array([[1.0, 2.0]])\nassert np.allclose(softmax(x).sum(-1), 1)"),
    "given": (1, "assert len(TOKENS) == 3 and math.sqrt(4) == 2"),
    "partial": (4, "0.25 * 4 * np.isclose(softmax(np.zeros((2, 2)))[0, 0], 0.5)"),
    "negative": (2, "-1"),
    "not_a_number": (2, "float('nan')"),
    "too_many": (2, "99"),
    "text": (2, "'fine'"),
    "error": (
        2,
        "try:\n    attention(np.ones((2, 3)), np.ones((2, 4)), np.ones((2, 4)))\nexcept ValueError:\n    pass\n"
        "else:\n    raise AssertionError('sizes that do not fit')",
    ),
    "loud": (
        1,
        "import sys, warnings\nwarnings.warn('careful')\nprint('loud', file=sys.stderr)\nassert causal_mask(2)[1, 0]",
    ),
    "hidden": (
        2,
        "### BEGIN HIDDEN TESTS\nassert softmax(np.zeros(4))[0] == 0.25, 'four equal scores'\n### END HIDDEN TESTS",
    ),
    "keyword": (
        1,
        "out, weights = attention(np.eye(2), np.eye(2), V=np.eye(2), mask=causal_mask(2))\nassert weights[0, 1] == 0",
    ),
}  # fmt: skip
RIGHT = {
    "plain": 3, "given": 1, "partial": 1, "negative": 0, "not_a_number": 0, "too_many": 2, "text": 2, "error": 2,
    "loud": 1, "hidden": 2, "keyword": 1,
}  # fmt: skip
DUE = {"right": RIGHT, "flat": RIGHT | {"partial": 0}}


def test_checks_that_instructors_wrote_themselves_work(template, tmp_path):
    course = classes.copied(template, tmp_path / "own")
    path = course / "source" / "attention" / "attention.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for name, (points, source) in CHECKS.items():
        notebook["cells"].append(json.loads(OWN % {"id": name, "points": points, "source": json.dumps(source)}))
    path.write_text(json.dumps(notebook), encoding="utf-8")
    (course / "gradebook.db").unlink()
    shutil.rmtree(course / "submitted")
    hand_in(course, "right", SOLUTION)
    hand_in(course, "flat", SOLUTION + FLAT)
    hand_in(course, "endless", SOLUTION + ENDLESS.replace("causal_self_attention", "softmax"))
    graded(course)
    found = state(url_of(course))
    for student, due in DUE.items():
        cells = found[student][2]
        assert {name: cells["attention", name][0] for name in CHECKS} == due, student
    assert found["endless"][2]["attention", "given"][0] == 1
    assert found["endless"][2]["attention", "plain"][0] == 0
    page = (course / "feedback" / "flat" / "attention" / "attention.html").read_text(encoding="utf-8")
    assert "np.zeros" not in page


QUOTES = """

SEEN = []


def softmax(x):
    SEEN.append(repr(x.tolist()))
    raise ValueError("seen: " + " ".join(SEEN))
"""
RETURNS = """

SEEN = []


def softmax(x):
    SEEN.extend(x.ravel().tolist())
    import numpy as np
    return np.array(SEEN)
"""


@pytest.mark.parametrize("script", [QUOTES, RETURNS], ids=["quotes", "returns"])
def test_code_that_quotes_its_inputs_tells_no_hidden_one(course, script):
    hand_in(course, "bob", SOLUTION + script)
    graded(course, students=("bob",))
    secret = (course / ".secret").read_text().strip()
    hidden = [
        f"{number!r}"
        for group in marks.hidden_cases("attention", secret).values()
        for case in group
        for call in case.calls
        for argument in call
        if hasattr(argument, "ravel")
        for number in argument.ravel().tolist()
        if isinstance(number, float) and len(f"{number!r}") > 8
    ]
    visible = drawn.pack(drawn.visible(labs.get("attention")), "")
    shown = {repr(n) for n in numbers_in(drawn.unpack(visible)[1])}
    told = " ".join(p.read_text(encoding="utf-8") for p in (course / "feedback" / "bob").rglob("*.html"))
    told += " ".join(p.read_text(encoding="utf-8") for p in (course / "autograded" / "bob").rglob("*.ipynb"))
    told += (course / ".attnlab" / "attention" / "bob.json").read_text(encoding="utf-8")
    only_hidden = [text for text in hidden if text not in shown]
    assert len(only_hidden) > 100
    assert [text for text in only_hidden if text in told] == []


def numbers_in(cases):
    """Return all numbers of visible cases."""
    return {
        number
        for group in cases.values()
        for case in group
        for call in case.calls
        for argument in call
        if hasattr(argument, "ravel")
        for number in argument.ravel().tolist()
    }


def test_late_work_is_charged_as_the_configuration_says(template, tmp_path):
    course = classes.copied(template, tmp_path / "late")
    with open(course / "nbgrader_config.py", "a", encoding="utf-8") as file:
        file.write("\nc.LateSubmissionPlugin.penalty_method = 'zero'\n")
    with Gradebook(url_of(course), "attnlab") as gradebook:
        gradebook.update_or_create_assignment("attention", duedate="2026-04-30 12:00:00 UTC")
    graded(course, students=("bob",))
    score, _, _, _, penalties = state(url_of(course))["bob"]
    assert penalties == {"attention": score}
    assert records.load(course / ".attnlab" / "attention", "bob")["late_penalty"] == score > 0


def test_the_command_says_what_it_does(course):
    first = attnlab("grade", course, "--student", "ада", "--format", "json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["graded"] == 1
    planned = attnlab("grade", course, "--dry-run", "--lang", "en")
    assert planned.returncode == 0
    assert "4 to grade, 1 unchanged" in planned.stdout
    assert "would grade zoe" in planned.stdout
    assert set(scores(course)) == {"ада"}
    russian = attnlab("grade", course, "--lang", "ru", "--tier", "spawn")
    assert russian.returncode == 0, russian.stderr
    assert "Проверено 4" in russian.stdout
    assert "zoe" in russian.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["{none}"], 4, "no folder"),
        (["{empty}"], 4, "no nbgrader course"),
        (["{course}", "--assignment", "other"], 4, "nothing to grade against"),
        (["{course}", "--student", "nobody"], 4, "Nobody called nobody"),
        (["{course}", "--db", "postgresql://me:hunter2@127.0.0.1:1/x"], 3, "cannot be opened"),
        (["{course}", "--tier", "fortress"], 4, "fortress"),
    ],
)
def test_what_makes_no_sense_ends_with_a_sentence(template, tmp_path, arguments, code, words):
    (tmp_path / "empty").mkdir()
    places = {"none": tmp_path / "none", "empty": tmp_path / "empty", "course": template}
    ended = attnlab("grade", *(a.format(**places) for a in arguments), "--lang", "en")
    assert ended.returncode == code, ended.stdout + ended.stderr
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "hunter2" not in ended.stderr


def test_a_broken_configuration_is_told_with_its_file(course):
    (course / "nbgrader_config.py").write_text("c = get_config(\n", encoding="utf-8")
    ended = attnlab("grade", course, "--lang", "en")
    assert ended.returncode == 4
    assert "nbgrader_config.py" in ended.stderr
    assert "Traceback" not in ended.stderr


def fair(name):
    return (classes.ROOT / f"tests/fair/attention/{name}.py").read_text(encoding="utf-8")


def test_a_script_finds_the_name_of_its_file_and_no_stub_hides_what_it_defines_in_its_own_way(course):
    shutil.rmtree(course / "submitted")
    scripts = {
        "ida": "import os\nHERE = os.path.dirname(__file__)\n" + SOLUTION,
        "max": fair("functions_put_into_globals"),
        "uma": fair("module_getattr"),
    }
    for student, script in scripts.items():
        folder = course / "submitted" / student / "attention"
        folder.mkdir(parents=True)
        (folder / "attention.py").write_text(script, encoding="utf-8")
    graded(course)
    assert scores(course) == {"ida": 10, "max": 10, "uma": 10}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere a folder's name is always text")
@pytest.mark.parametrize("seconds", [2.0, 0.0], ids=["in batches", "one by one"])
def test_what_cannot_be_written_of_one_student_keeps_back_no_other(course, monkeypatch, seconds):
    """A folder whose name is no text, which no gradebook holds; and one where something stands in the way."""
    monkeypatch.setattr("attnlab.grading.grader.BATCH_SECONDS", seconds)
    odd = os.fsdecode(b"\xff\xfe")
    shutil.copytree(course / "submitted" / "bob", course / "submitted" / odd)
    in_the_way = course / "feedback" / "ned"
    in_the_way.parent.mkdir(exist_ok=True)
    in_the_way.symlink_to("ned")
    shutil.rmtree(course / "submitted" / "eve")
    summary = graded(course)
    assert set(summary.broken) == {odd, "ned"}
    assert "UnicodeEncodeError" in summary.broken[odd]
    assert "feedback" in summary.broken["ned"]
    assert set(scores(course)) == {"ада", "bob", "zoe"}
    in_the_way.unlink()
    shutil.rmtree(course / "submitted" / odd)
    assert graded(course).broken == {}
    assert scores(course)["ned"] == 10


def test_a_full_disk_ends_the_run_and_what_was_recorded_before_stays(course, monkeypatch):
    from attnlab.grading import delivery, grader

    written, deliver = [], delivery.deliver

    def full_after_one(course, assignment, results, writer):
        if written:
            raise OSError(errno.ENOSPC, "No space left on device", "feedback")
        written.extend(result.job.student for result in results)
        deliver(course, assignment, results, writer)

    monkeypatch.setattr(grader, "BATCH_SECONDS", 0.0)
    monkeypatch.setattr(delivery, "deliver", full_after_one)
    with pytest.raises(OSError, match="No space left"):
        graded(course)
    assert set(scores(course)) == set(written)
    monkeypatch.undo()
    assert graded(course).unchanged == 1
    assert set(scores(course)) == {"ада", "bob", "eve", "ned", "zoe"}


def test_where_nothing_can_be_written_the_run_ends_with_a_sentence(course):
    shutil.rmtree(course / "feedback", ignore_errors=True)
    (course / "feedback").write_text("in the way", encoding="utf-8")
    ended = attnlab("grade", course, "--lang", "en")
    assert ended.returncode in (3, 4)
    assert "Traceback" not in ended.stderr
    assert "feedback" in ended.stderr


@pytest.fixture
def hears_ctrl_c():
    """Hear Ctrl-C as in a terminal, also where the suite is a job in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(sys.platform == "win32", reason="signals the POSIX way")
def test_ctrl_c_while_workers_are_started_is_heard_afterwards_and_never_by_them(hears_ctrl_c):
    from attnlab.grading import processes

    started = []

    def start():
        with processes.deaf():
            started.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]))
            os.kill(started[0].pid, signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
            started.append("not interrupted")

    with pytest.raises(KeyboardInterrupt):
        start()
    child, told = started
    assert told == "not interrupted"
    assert child.poll() is None
    child.kill()
    child.wait()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_grader_is_kept_away_and_ctrl_c_loses_nothing(course):
    hears = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # jobs in the background do not
    command = [sys.executable, "-c", f"{hears}; from attnlab.cli import main; main()", "grade", str(course)]
    command += ["--lang", "en"]
    lock = course / ".attnlab" / "attention" / ".lock"
    lock.unlink(missing_ok=True)  # that of another run, copied with the course
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not lock.exists():
        time.sleep(0.05)
    time.sleep(0.5)
    os.kill(first.pid, signal.SIGSTOP)  # or it might be done before the second one has started
    second = attnlab("grade", course, "--lang", "en")
    os.killpg(first.pid, signal.SIGINT)
    os.kill(first.pid, signal.SIGCONT)
    assert second.returncode == 4
    assert "Another" in second.stderr
    _, said = first.communicate(timeout=60)
    assert first.returncode == 2
    assert "Interrupted" in said
    assert "Traceback" not in said
    third = attnlab("grade", course, "--lang", "en")
    assert third.returncode == 0
    assert scores(course)["ада"] == 10
