"""The demo's table is right for each submission, and students read nothing in their feedback that only graders know."""

import csv
import io
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: there is no course to grade")

from rich.console import Console

from attnlab import labs
from attnlab.grading.demo.classroom import classroom
from attnlab.grading.demo.run import Demo, DemoError, run_demo
from attnlab.grading.demo.table import results_table

pytestmark = pytest.mark.xdist_group("test_demo")  # its module fixtures are expensive

ROOT = Path(__file__).parents[1]
MASK, SOFTMAX, ATTENTION, SELF = "causal_mask", "softmax", "attention", "causal_self_attention"
FULL = {SOFTMAX: 2, MASK: 1, ATTENTION: 4, SELF: 3}
NOTHING = dict.fromkeys(FULL, 0)

GRADED = {
    "half-done": {SOFTMAX: 2, MASK: 1, ATTENTION: 0, SELF: 0},
    "right-copied-cell": FULL,
    "right-deleted-checks": FULL,
    "right-einsum": FULL,
    "right-loops": FULL,
    "right-noisy": FULL,
    "right-plain": FULL,
    "right-recursive": FULL,
    "right-without-metadata": FULL,
    "untouched": NOTHING,
}

# The function at fault, the one that uses it (or nothing), and words of the reason given for the first.
AT_FAULT = {
    "wrong-in-place": (SOFTMAX, set(), "changed its input"),
    "wrong-key-transpose": (ATTENTION, {SELF}, "ValueError"),
    "wrong-mask-inverted": (ATTENTION, {SELF}, "hidden"),
    "wrong-mask-shifted": (MASK, {SELF}, "token 1, which comes after it"),
    "wrong-name": (SOFTMAX, set(), "but there is `soft_max`"),
    "wrong-no-scale": (ATTENTION, {SELF}, "it should be"),
    "wrong-softmax-axis": (SOFTMAX, {ATTENTION, SELF}, "sums to"),
    "wrong-softmax-overflow": (SOFTMAX, {ATTENTION, SELF}, "NaN"),
}


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """Where the demo runs."""
    return Demo(ROOT, tmp_path_factory.mktemp("demo") / "work", Console(quiet=True))


@pytest.fixture(scope="module")
def outcomes(demo):
    """What came of one run of the whole demo."""
    return run_demo(demo)


@pytest.fixture(scope="module")
def outcome(outcomes):
    """What came of the first assignment."""
    return outcomes[0]


@pytest.fixture(scope="module")
def results(outcome):
    """The result of each student."""
    return {result.student: result for result in outcome.results}


def test_every_student_has_a_row_and_a_file_that_says_what_was_handed_in(results):
    assert set(results) == {"broken-notebook", *GRADED, *AT_FAULT} == {student.id for student in classroom("attention")}
    assert all(student.about.endswith(".") for lab in labs.LABS[:2] for student in classroom(lab))


def test_the_class_hands_in_two_assignments_where_there_are_two(outcomes):
    assert [outcome.assignment for outcome in outcomes] == list(labs.LABS[:2])


def test_of_every_further_assignment_points_are_lost_where_the_known_fault_is(outcomes):
    for outcome in outcomes[1:]:
        found = {result.student: result for result in outcome.results}
        expected = {student.id: student.expected for student in classroom(outcome.assignment)}
        assert set(found) == set(expected)
        assert sum(outcome.max_points.values()) == 10
        assert {not parts for parts in expected.values()} == {True, False}
        for student, parts in expected.items():
            lost = {p for p, worth in outcome.max_points.items() if found[student].points[p] < worth}
            assert set(parts) <= lost, student
            assert parts or not lost, student
            assert {loss.part for loss in found[student].losses} == lost


def test_the_parts_are_worth_ten_points(outcome):
    assert outcome.max_points == FULL


@pytest.mark.parametrize("student", GRADED)
def test_points_are_exact(results, student):
    assert results[student].points == GRADED[student]


@pytest.mark.parametrize("student", AT_FAULT)
def test_points_are_lost_in_the_function_at_fault_and_only_there_or_where_it_is_used(results, student):
    fault, using, words = AT_FAULT[student]
    lost = {part for part, points in results[student].points.items() if points < FULL[part]}
    assert fault in lost
    assert lost <= {fault} | using
    assert words in next(loss.reason for loss in results[student].losses if loss.part == fault)


def test_every_point_that_is_missing_has_a_reason(results):
    for result in results.values():
        if result.points:
            lost = {part: FULL[part] - points for part, points in result.points.items() if points < FULL[part]}
            assert {loss.part: loss.points for loss in result.losses} == lost
            assert all(loss.reason for loss in result.losses)


def test_the_broken_notebook_is_told_apart_and_stops_nobody(results):
    broken = results["broken-notebook"]
    assert broken.points == {}
    assert "could not be read" in broken.problem
    assert not any(result.grader_broke for result in results.values())


@pytest.mark.parametrize("width", [80, 160])
def test_the_table_shows_students_points_and_reasons_at_any_width(outcome, width):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(results_table(outcome.max_points, outcome.results, outcome.about, width))
    text = console.export_text()
    rows = {line.split()[0]: line.split() for line in text.splitlines() if line.split() and len(line.split()) > 5}
    for result in outcome.results:
        if result.points:
            assert [float(word) for word in rows[result.student][1:6]] == [*result.points.values(), result.total]
    assert "changed its input" in " ".join(text.split())


def test_feedback_shows_the_card_but_nothing_only_graders_know(demo, results):
    secret = (demo.course / ".secret").read_text().strip()
    pages = {path.parent.parent.name: path for path in demo.feedback.rglob("attention.html")}
    assert set(pages) == set(results) - {"broken-notebook"}
    for student, page in pages.items():
        text = page.read_text(encoding="utf-8")
        for hidden in ("HIDDEN TESTS", "mark as check", "mark</span>", "attnlab.grading", secret):
            assert hidden not in text, (student, hidden)
    assert "changed its input" in pages["wrong-in-place"].read_text(encoding="utf-8")


def test_the_exported_totals_are_those_of_the_table(demo, results):
    with demo.grades.open(newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["assignment"] == "attention"]
    exported = {row["student_id"]: float(row["score"]) for row in rows}
    assert {student: exported.pop(student) for student in results} == {s: result.total for s, result in results.items()}
    assert set(exported.values()) <= {0.0}  # those of the class who handed in only the other assignment


def test_the_committed_course_stays_as_it_is(demo, outcome):
    assert {path.name for path in (ROOT / "grading").iterdir()} - {".secret", "__pycache__"} >= {"source"}
    assert not (ROOT / "grading" / "submitted").exists()
    assert demo.course.is_relative_to(demo.folder)


def test_a_folder_the_demo_did_not_make_is_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("mine")
    with pytest.raises(DemoError, match="left alone"):
        run_demo(Demo(ROOT, tmp_path, Console(quiet=True)))
    assert (tmp_path / "thesis.txt").read_text() == "mine"


def test_elsewhere_than_in_the_repository_the_demo_says_so_and_exits_3(tmp_path):
    command = [sys.executable, "-m", "attnlab.grading.demo", "--root", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 3
    assert "run the demo from the root of the repository" in " ".join(done.stdout.split())
