"""`attnlab report`: what is counted, in four formats; damage, strange names and prying eyes."""

import csv
import io
import json
import os
import re
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from html.parser import HTMLParser
from statistics import correlation

import made_records
import numpy as np
import pytest

from attnlab import cli, texts
from attnlab.grading.report import as_csv, as_json, commands, html, reading, statistics
from attnlab.grading.report.anonymous import pseudonym
from attnlab.grading.report.reading import Assignment, Unusable
from attnlab.grading.report.wording import Wording
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS, submission_source

FORMATS = ("text", "html", "csv", "json")
EVIL = "<script>alert(1)</script>\x1b[2J\u202e\" onload='x"
HEADER = (
    "assignment,duedate,timestamp,student_id,last_name,first_name,email,"
    "raw_score,late_submission_penalty,score,max_score"
)


@dataclass(frozen=True)
class Done:
    """What came of a command."""

    returncode: int
    stdout: str
    stderr: str


def attnlab(*arguments, encoding="utf-8", cwd=None):
    """Run the command in this process: starting Python for each call takes longer than all the rest."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, newline="", write_through=True) for _ in range(2))
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setattr(sys, "argv", ["attnlab", *map(str, arguments)])
        for name in ("LC_ALL", "LC_MESSAGES", "ATTNLAB_LANG"):
            patch.delenv(name, raising=False)
        patch.setenv("LANG", "en_US.UTF-8")
        patch.setenv("COLUMNS", "80")
        if cwd is not None:
            patch.chdir(cwd)
        with pytest.raises(SystemExit) as ended:
            cli.main()
    return Done(ended.value.code or 0, *(stream.buffer.getvalue().decode(encoding) for stream in (out, err)))


@pytest.fixture(scope="session")
def judged_files(judged, solution):
    """Documents of a right file, one with a known misconception, one wrong in an unknown way, one unwritten."""
    named = next(m for m in MISCONCEPTIONS if m.part == "softmax")
    unknown = solution + "\ndef softmax(x, _right=softmax):\n    return _right(x) * 0.9 + 0.0371\n"
    stubs = "def softmax(x):\n    raise NotImplementedError()\n"
    found = made_records.documents(judged, [solution, submission_source(named), unknown, stubs])
    return dict(zip(("right", "named", "unknown", "stubs"), found, strict=True))


@pytest.fixture
def course(tmp_path, judged_files):
    """A small class of which everything is known."""
    one = {name: made_records.notebook(document) for name, document in judged_files.items()}
    broken = {"message": "read.not_json", "facts": {"path": "ivanov.ipynb", "line": 7}}
    moved = {"message": "arrival.put_back", "facts": {"cells": "check-softmax"}}
    made_records.save(
        tmp_path,
        *(made_records.record(f"right{n}", one["right"]) for n in range(4)),
        *(made_records.record(f"named{n}", one["named"]) for n in range(3)),
        *(made_records.record(f"unknown{n}", one["unknown"]) for n in range(2)),
        made_records.record("stubs", one["stubs"], late_penalty=1.0, score=0.5),
        made_records.record("broken", made_records.notebook(None, unreadable=broken), score=0.0),
        made_records.record(
            "moved", made_records.notebook(judged_files["right"], notes=[moved]), manual=True, retried=True
        ),
    )
    (tmp_path / "submitted" / "newcomer" / "attention").mkdir(parents=True)
    (tmp_path / "submitted" / "right0" / "attention").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def found(course):
    """The counts of that class."""
    (overview,) = commands.load(course, None, False).overviews
    return overview


# --- what is counted --------------------------------------------------------------------------------------------------


def test_marks_are_those_after_the_penalty(found, judged_files):
    finals = [10.0] * 5 + [judged_files["named"]["score"]] * 3 + [judged_files["unknown"]["score"]] * 2 + [0.0, 0.0]
    marks = found.marks
    assert marks.count == len(finals) == sum(marks.bins)
    assert (marks.lowest, marks.highest, marks.full) == (0.0, 10.0, 5)
    assert marks.mean == pytest.approx(np.mean(finals))
    assert marks.deviation == pytest.approx(np.std(finals))
    assert marks.quartiles == pytest.approx(tuple(np.quantile(finals, [0.25, 0.5, 0.75])))
    assert list(marks.bins) == np.histogram(finals, bins=10, range=(0, 10))[0].tolist()


def test_shares_on_a_boundary_fall_into_the_upper_bin():
    records = [made_records.record(f"s{n}", score=n / 10, max_score=1.0) for n in range(11)]
    read = tuple(reading.record(r, "attention") for r in records)
    assert statistics.overview(Assignment("attention", read)).marks.bins == (1,) * 9 + (2,)


def test_each_misconception_has_its_students(found, judged_files):
    parts = judged_files["named"]["functions"]
    expected = {(part, r["misconception"]) for part, r in parts.items() if r["misconception"]}
    assert expected
    assert {(m.part, m.id) for m in found.misconceptions} == expected
    assert {m.students for m in found.misconceptions} == {("named0", "named1", "named2")}


def test_equal_behaviour_without_a_name_is_a_cluster_and_consequences_are_not(found, judged_files):
    (cluster,) = found.clusters
    assert (cluster.part, cluster.students) == ("softmax", ("unknown0", "unknown1"))
    failing = [c for c in judged_files["unknown"]["checks"] if c["function"] == "softmax" and c["outcome"] != "passed"]
    assert cluster.checks == tuple(c["id"] for c in failing)
    assert cluster.message == failing[0]["message"]
    assert judged_files["unknown"]["functions"]["attention"]["status"] != "passed"


def test_what_is_not_written_is_no_behaviour(judged_files):
    stubs = made_records.notebook(judged_files["stubs"])
    stubs["behaviour"] = dict.fromkeys(judged_files["stubs"]["functions"], "0123456789abcdef")
    read = tuple(reading.record(made_records.record(s, stubs), "attention") for s in "ab")
    statuses = {part.status for part in read[0].notebooks[0].parts}
    assert statuses <= {"todo", "missing"}
    found = statistics.overview(Assignment("attention", read))
    assert (found.clusters, found.single) == ((), 0)


def test_one_of_a_kind_is_counted_and_makes_no_cluster(judged_files):
    alone = reading.record(made_records.record("one", made_records.notebook(judged_files["unknown"])), "attention")
    found = statistics.overview(Assignment("attention", (alone,)))
    assert (found.clusters, found.single) == ((), 1)


def test_a_cluster_tells_only_what_all_of_it_share(judged_files):
    other = json.loads(json.dumps(judged_files["unknown"]))
    failing = [c for c in other["checks"] if c["function"] == "softmax" and c["outcome"] != "passed"]
    failing[0]["outcome"], failing[0]["message"] = "passed", ""
    one, two = made_records.notebook(judged_files["unknown"]), made_records.notebook(other)
    two["behaviour"] = one["behaviour"]
    read = tuple(reading.record(made_records.record(s, n), "attention") for s, n in (("a", one), ("b", two)))
    (cluster,) = statistics.overview(Assignment("attention", read)).clusters
    assert failing[0]["id"] not in cluster.checks
    assert cluster.message == ""
    assert cluster.checks


def test_difficulty_is_the_share_that_passed_among_the_judged(found):
    by_id = {entry.check: entry for entry in found.difficulty}
    entry = by_id["causal_mask.values"]
    assert (entry.judged, entry.passed) == (11, 10)  # the unreadable one was not judged
    assert all(entry.judged == 11 for entry in by_id.values())


def test_discrimination_is_the_correlation_with_the_rest_of_the_points():
    draw = np.random.default_rng(3)
    right = draw.integers(0, 2, 40)
    rest = right * 1.5 + draw.normal(size=40)
    value = statistics.discrimination(right, rest)
    assert value == pytest.approx(correlation(right.tolist(), rest.tolist()))


@pytest.mark.parametrize(
    ("right", "rest"),
    [
        ([0, 1, 0, 1, 0, 1], [1, 2, 3, 4, 5, 6]),  # too few
        ([1] * 18 + [0] * 2, range(20)),  # nearly all right
        ([0] * 18 + [1] * 2, range(20)),  # nearly all wrong
        ([0, 1] * 10, [5.0] * 20),  # the rest tells nothing
    ],
)
def test_discrimination_is_left_out_where_it_means_nothing(right, rest):
    assert statistics.discrimination(np.array(right), np.array(list(rest))) is None


def test_the_rest_leaves_out_the_check_itself_and_the_bonus(judged_files):
    """If the points of a check and of the bonus were in, a check independent of all others would look related."""
    draw = np.random.default_rng(5)
    records = []
    for n in range(200):
        document = json.loads(json.dumps(judged_files["right"]))
        for check in document["checks"]:
            check["outcome"] = "passed" if draw.random() < 0.5 else "failed"
            check["max_score"] = check["score"] = 1.0 * (check["outcome"] == "passed")
        records.append(reading.record(made_records.record(f"s{n}", made_records.notebook(document)), "attention"))
    for entry in statistics.overview(Assignment("attention", tuple(records))).difficulty:
        rows = [
            (float(c.outcome == "passed"), sum(o.score for o in r.notebooks[0].checks if not o.bonus and o.id != c.id))
            for r in records for c in r.notebooks[0].checks if c.id == entry.check
        ]  # fmt: skip
        assert entry.discrimination == pytest.approx(correlation(*map(list, zip(*rows, strict=True))))


def test_what_is_to_be_looked_at_is_listed(found):
    assert [s.student for s in found.unreadable] == ["broken"]
    assert [s.student for s in found.repaired] == ["moved"]
    assert [r.student for r in found.late] == ["stubs"]
    assert (found.manual, found.retried) == (("moved",), ("moved",))
    assert found.assignment.waiting == ("newcomer",)


# --- the formats ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_terminal_shows_all_of_it_in_80_columns(course, lang):
    done = attnlab("report", course, "--lang", lang)
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines())) <= 80
    flat = " ".join(done.stdout.split())
    for student in ("right0", "broken", "moved", "newcomer", "unknown1"):
        assert student in flat
    (misconception,) = {m.id: m for m in commands.load(course, None, False).overviews[0].misconceptions}.values()
    assert Wording(lang).misconception(misconception) in flat
    for message in ("unreadable", "repaired", "late", "manual", "retried", "waiting", "clusters", "difficulty"):
        assert texts.say(lang, f"overview.{message}") in flat
    assert texts.say(lang, "read.not_json", {"path": "ivanov.ipynb", "line": 7}) in flat


def test_the_terminal_does_without_signs_that_its_encoding_lacks(course):
    done = attnlab("report", course, encoding="ascii")
    assert done.returncode == 0
    assert "####" in done.stdout


class Page(HTMLParser):
    """Checks that elements are nested, and collects what a page asks for and says."""

    VOID = ("meta", "wbr", "br", "rect", "path")
    OPTIONAL = ("tr", "td", "th", "tbody", "thead", "li", "p")

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.attributes, self.text = [], set(), [], []

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.VOID:  # <rect … />
            return
        while self.open and self.open[-1] != tag and self.open[-1] in self.OPTIONAL:
            self.open.pop()
        assert self.open, tag
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def parsed(text):
    page = Page()
    page.feed(text)
    assert page.open == []
    return page


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_page_is_one_file_that_asks_for_nothing(course, lang):
    text = html.page(commands.load(course, None, False).overviews, lang)
    page = parsed(text)
    assert not page.tags & {"script", "link", "img", "iframe", "object", "form", "base"}
    assert not {name for name, _ in page.attributes} & {"src", "href", "onload", "onclick", "onerror"}
    assert "url(" not in text
    assert "@import" not in text
    assert ("lang", lang) in page.attributes
    assert {"svg", "table", "details", "title"} <= page.tags


def test_every_picture_has_a_description_or_is_beside_its_number(course):
    text = html.page(commands.load(course, None, False).overviews, "en")
    for svg in re.findall(r"<svg[^>]*>", text):
        assert ('role="img" aria-label="' in svg) is ('aria-hidden="true"' not in svg)


def test_the_page_works_in_light_and_dark(course):
    text = html.page(commands.load(course, None, False).overviews, "en")
    light, dark = re.findall(r":root \{(.*?)\}", text, re.DOTALL)
    assert set(re.findall(r"--\w+", light)) == set(re.findall(r"--\w+", dark))
    assert "color-scheme: light dark" in light
    assert set(re.findall(r"var\((--\w+)\)", text)) <= set(re.findall(r"--\w+", light))


def test_json_is_one_document(course):
    done = attnlab("report", course, "--format", "json")
    document = json.loads(done.stdout)
    (entry,) = document["assignments"]
    assert document["version"] == 1
    assert len(entry["students"]) == 12
    assert entry["marks"]["full"] == 5
    assert {m["id"] for m in entry["misconceptions"]}
    assert entry["unreadable"][0]["text"] == texts.say("en", "read.not_json", {"path": "ivanov.ipynb", "line": 7})


def test_two_assignments_make_one_report(course, judged_files):
    right = made_records.notebook(judged_files["right"])
    made_records.save(course, made_records.record("right0", right, assignment="second"))
    for format in FORMATS:
        done = attnlab("report", course, "--format", format)
        assert done.returncode == 0
        assert "second" in done.stdout
        one = attnlab("report", course, "--format", format, "--assignment", "second")
        assert "named0" not in one.stdout


# --- CSV --------------------------------------------------------------------------------------------------------------


def test_csv_from_records_alone_has_nbgraders_header_and_numbers(course):
    done = attnlab("report", course, "--format", "csv")
    lines = done.stdout.splitlines()
    assert lines[0] == HEADER
    assert "attention,,2026-11-20 10:00:00,stubs,,,,0.5,1.0,0.0,10.0" in lines
    assert len(lines) == 13


@pytest.fixture
def gradebook(course, template):
    """That gradebook, in the course."""
    shutil.copyfile(template, course / "gradebook.db")
    return f"sqlite:///{course / 'gradebook.db'}"


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    """A gradebook that knows some, with names, a late one, a mark given by hand, and one who handed in nothing."""
    api = pytest.importorskip("nbgrader.api", reason="nbgrader is not installed: pip install 'attnlab[grading]'")
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    url = f"sqlite:///{path}"
    with pytest.MonkeyPatch.context() as patch:
        programs = os.path.dirname(sys.executable)  # nbgrader calls alembic by name
        patch.setenv("PATH", programs + os.pathsep + os.environ["PATH"])
        api.Gradebook(url).close()
    with api.Gradebook(url) as book:
        book.add_assignment("attention", duedate="2026-12-01 12:00:00.5 UTC")
        book.add_notebook("attention", "attention")
        book.add_grade_cell("check", "attention", "attention", max_score=10, cell_type="code")
        book.add_student("right0", first_name="Ада", last_name="O'Neil", email="ada@example.org")
        book.add_student("named0", first_name="=1+1", last_name="@SUM(A1)")
        book.add_student("absent", first_name="Nobody", last_name="Here")
        for student, score, manual, penalty in (("right0", 10, None, None), ("named0", 7.25, 8.125, 2.5)):
            book.add_submission("attention", student, timestamp="2026-11-20 10:00:00 UTC")
            grade = book.find_grade("check", "attention", "attention", student)
            grade.auto_score, grade.manual_score = score, manual
            book.find_submission_notebook("attention", "attention", student).late_submission_penalty = penalty
        book.db.commit()
    return path


def exported(url, path):
    """What nbgrader itself writes."""
    from nbgrader.api import Gradebook
    from nbgrader.plugins.export import CsvExportPlugin

    with Gradebook(url) as book:
        CsvExportPlugin(to=str(path)).export(book)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize("given", [False, True])
def test_csv_equals_nbgraders_export_for_those_it_knows(course, gradebook, tmp_path, given):
    theirs = exported(gradebook, tmp_path / "export.csv")
    assert theirs.splitlines()[0] == HEADER
    options = ("--db", gradebook) if given else ()
    done = attnlab("report", course, "--format", "csv", *options)
    assert done.stderr == ""
    assert done.stdout.startswith(theirs)
    rest = list(csv.reader(io.StringIO(done.stdout[len(theirs) :])))
    assert {row[3] for row in rest} >= {"right1", "unknown0", "broken"}
    assert {row[3] for row in rest} & {"right0", "named0", "absent"} == set()
    assert {row[1] for row in rest} == {theirs.splitlines()[1].split(",")[1]}


def test_csv_keeps_its_columns_where_nbgraders_fall_apart(course, gradebook):
    from nbgrader.api import Gradebook

    with Gradebook(gradebook) as book:
        book.update_or_create_student("right0", last_name='von "X", Jr.', first_name="a\nb")
    done = attnlab("report", course, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(done.stdout)))
    (row,) = (row for row in rows if row["student_id"] == "right0")
    assert (row["last_name"], row["first_name"], row["score"]) == ('von "X", Jr.', "a\nb", "10.0")


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_a_spoilt_gradebook_costs_names_only(course, lang):
    pytest.importorskip("nbgrader.api", reason="nbgrader is not installed: pip install 'attnlab[grading]'")
    (course / "gradebook.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    done = attnlab("report", course, "--format", "csv", "--lang", lang)
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) == 13
    assert done.stderr.startswith(texts.catalogue(lang)["overview.bad_gradebook"].partition("{")[0])
    assert "Traceback" not in done.stderr


def test_a_gradebook_that_is_not_there_is_not_made(course, tmp_path):
    pytest.importorskip("nbgrader.api", reason="nbgrader is not installed: pip install 'attnlab[grading]'")
    with pytest.raises(as_csv.BadGradebook):
        as_csv.of_gradebook(f"sqlite:///{tmp_path / 'absent.db'}", ["attention"])
    assert not (tmp_path / "absent.db").exists()


# --- damage -----------------------------------------------------------------------------------------------------------


def damaged_texts(record):
    """Texts that are no record, each in its own way."""
    def without(*path, value=None):
        copy = json.loads(json.dumps(record))
        place = copy
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        return json.dumps(copy)

    whole = json.dumps(record)
    return {
        "empty": "", "cut": whole[: len(whole) // 2], "list": "[]", "null": "null", "deep": "[" * 100_000,
        "not utf-8": "\udcff", "other version": without("version", value=2), "no version": without("version"),
        "no student": without("student"), "score text": without("score", value="10"),
        "score NaN": whole.replace('"score": 10', '"score": NaN', 1), "score huge": without("score", value=10**400),
        "score true": without("score", value=True), "notebooks text": without("notebooks", value="x"),
        "notebook number": without("notebooks", 0, value=3), "report list": without("notebooks", 0, "report", value=[]),
        "checks text": without("notebooks", 0, "report", "checks", value="x"),
        "outcome odd": without("notebooks", 0, "report", "checks", 0, "outcome", value="great"),
        "status list": without("notebooks", 0, "report", "functions", "softmax", "status", value=["passed"]),
        "note odd": without("notebooks", 0, "notes", value=[{"message": 3}]),
        "elsewhere": without("assignment", value="other"),
    }  # fmt: skip


def test_a_damaged_record_is_a_sentence_and_the_others_go_on(course, judged_files):
    spoilt = damaged_texts(made_records.record("x", made_records.notebook(judged_files["right"])))
    for name, text in spoilt.items():
        path = course / ".attnlab" / "attention" / f"z {name}.json"
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    for lang in texts.LANGUAGES:
        done = attnlab("report", course, "--format", "json", "--lang", lang)
        (entry,) = json.loads(done.stdout)["assignments"]
        assert {d["file"] for d in entry["damaged"]} == {f"z {name}.json" for name in spoilt}
        assert all(re.search("[а-я]" if lang == "ru" else "[a-z]", d["why"]) for d in entry["damaged"])
        assert len(entry["students"]) == 12
    for format in FORMATS:
        done = attnlab("report", course, "--format", format)
        assert done.returncode == 0
        assert "z cut.json" in " ".join((done.stdout + done.stderr).split())
        assert "Traceback" not in done.stderr


def test_other_files_beside_the_records_are_none(course):
    folder = course / ".attnlab" / "attention"
    for name in (".half.json.part", ".hidden.json", "journal.txt"):
        (folder / name).write_text("x", encoding="utf-8")
    (overview,) = commands.load(course, None, False).overviews
    assert overview.assignment.damaged == ()


def test_a_record_of_more_kinds_than_known_today_is_read(judged_files):
    document = json.loads(json.dumps(judged_files["right"]))
    document["new"] = document["checks"][0]["new"] = {"a": 1}
    assert reading.record(made_records.record("x", made_records.notebook(document), new=[1]), "attention").score == 10
    with pytest.raises(Unusable):
        reading.record(made_records.record("x"), "other")


def test_an_unknown_sentence_is_told_by_its_id(course, judged_files):
    note = {"message": "future.thing", "facts": {"cells": "a\x1b[2J"}}
    made_records.save(course, made_records.record("new", made_records.notebook(judged_files["right"], notes=[note])))
    done = attnlab("report", course)
    assert "future.thing (cells: a#x1B[2J)" in " ".join(done.stdout.split())


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize(
    ("make", "arguments", "message", "code"),
    [
        (None, ("absent",), "overview.no_course", 4),
        ("file", ("file",), "overview.no_folder", 4),
        (None, (".",), "overview.nothing_graded", 5),
        (".attnlab/attention/", (".",), "overview.nothing_graded", 5),
        (".attnlab/attention/x.json", (".", "--assignment", "other"), "overview.no_assignment", 4),
    ],
)
def test_nothing_to_report_on_is_a_sentence(make, arguments, message, code, lang, tmp_path):
    if make:
        path = tmp_path / make
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if make.endswith("/") else path.write_text("{}", encoding="utf-8")
    for format in FORMATS:
        done = attnlab("report", *arguments, "--format", format, "--lang", lang, cwd=tmp_path)
        assert (done.returncode, done.stdout) == (code, "")
        assert done.stderr.startswith(texts.catalogue(lang)[message].partition("{")[0])
        assert len(done.stderr.splitlines()) == 1


def test_output_goes_into_a_file(course, tmp_path):
    for format in FORMATS:
        out = tmp_path / f"out.{format}"
        done = attnlab("report", course, "--format", format, "-o", out)
        assert (done.returncode, done.stdout) == (0, "")
        assert "right0" in out.read_text(encoding="utf-8")


# --- strange and curious people ---------------------------------------------------------------------------------------


def test_what_students_choose_to_be_called_or_write_does_nothing(tmp_path, judged_files):
    document = json.loads(json.dumps(judged_files["unknown"]))
    for check in document["checks"]:
        check["message"] = EVIL
    notes = [{"message": "arrival.renamed", "facts": {"path": EVIL, "name": "attention"}}]
    strange = "a <b>&\x1b[31m"
    for number in range(2):
        record = made_records.record(f"{strange}{number}", made_records.notebook(document, notes=notes))
        made_records.save(tmp_path, record)
    for format in FORMATS:
        done = attnlab("report", tmp_path, "--format", format)
        assert done.returncode == 0
        assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]", done.stdout.replace("\r", ""))
    text = html.page(commands.load(tmp_path, None, False).overviews, "en")
    page = parsed(text)
    assert "script" not in page.tags
    assert "b" in page.tags  # the page's own
    assert "onload" not in {name for name, _ in page.attributes}
    assert any("<script>" in data for data in page.text)  # it is there, as text


def test_pseudonyms_are_stable_and_need_the_secret(course):
    (course / ".secret").write_text("of the course", encoding="ascii")
    loaded = (commands.load(course, None, True).overviews[0].assignment.records for _ in range(2))
    one, two = ({record.student for record in records} for records in loaded)
    assert one == two
    assert len(one) == 12
    assert pseudonym("right0", "of the course") in one
    assert pseudonym("right0", "of another") not in one


@pytest.mark.parametrize("format", FORMATS)
def test_an_anonymous_report_names_nobody_and_quotes_nobody(format, course, judged_files, gradebook):
    document = json.loads(json.dumps(judged_files["unknown"]))
    for check in document["checks"]:
        if check["outcome"] != "passed":
            check["outcome"], check["message"] = "error", "Ivan Ivanov was here"
    made_records.save(course, *(made_records.record(f"ivan{n}", made_records.notebook(document)) for n in range(2)))
    (course / ".attnlab" / "attention" / "petrov.json").write_text("{", encoding="utf-8")
    open_, hidden = (attnlab("report", course, "--format", format, *more) for more in ((), ("--anonymous",)))
    said = open_.stdout + open_.stderr
    assert "right0" in said
    assert "petrov" in said
    assert hidden.returncode == 0
    told = hidden.stdout + hidden.stderr
    ids = ("right", "named0", "stubs", "broken", "moved", "newcomer", "ivan")
    for name in (*ids, "Ivan", "ivanov", "petrov", "O'Neil", "Ада"):
        pattern = rf"\b{name}\d" if name in ("right", "ivan") else rf"\b{name}\b"
        assert not re.search(pattern, told), name
    assert "student-" in told


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="needs a user from whom a folder can be kept")
def test_without_a_secret_there_are_no_pseudonyms(course):
    course.chmod(0o500)
    try:
        done = attnlab("report", course, "--anonymous")
    finally:
        course.chmod(0o700)
    assert done.returncode == 4
    assert done.stderr.startswith(texts.catalogue("en")["overview.no_key"].partition("{")[0])


def test_two_thousand_students_make_a_page_of_modest_size(tmp_path, judged_files):
    course = made_records.crowd(tmp_path, list(judged_files.values()), 2000)
    overviews = commands.load(course, None, False).overviews
    assert overviews[0].marks.count == 2000
    assert len(html.page(overviews, "ru")) < 1_000_000
    assert len(json.loads(as_json.dumps(overviews, "ru"))["assignments"][0]["students"]) == 2000
