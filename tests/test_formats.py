"""Other formats of `check`: what JUnit, Gradescope, GitHub Classroom and a step summary get, and what they do not."""

import base64
import html
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from zlib import crc32

import pytest
from test_cli import attnlab

from attnlab import labs, texts
from attnlab.emit import classroom, gradescope, junit, summary
from attnlab.emit.entries import entries
from attnlab.grading.marks import cases_for_marks
from attnlab.judge import check_path

FORMATS = {"junit": junit, "gradescope": gradescope, "classroom": classroom, "summary": summary}
EVIL = "\x1b[2J\u202e<b>&]]>*_`|\x00\ud800\u2028\n::notice title=Autograding report::{}\n##[error]x"
CRASHES = f"def softmax(x):\n    raise ValueError({EVIL!r})\ndef causal_mask(T):\n    return None\n"


@pytest.fixture(scope="module")
def wrong(judged):
    """A file with every kind of outcome the formats tell apart, and an exception that tries everything."""
    return judged(CRASHES, shrink=True)


@pytest.fixture(scope="module")
def right(judged, solution):
    """The solution."""
    return judged(solution)


@pytest.fixture(scope="module")
def narrow(tmp_path_factory, lab, cases, solution):
    """Reports, under two secrets, on a softmax that is right for the visible cases and wrong for hidden ones."""
    path = tmp_path_factory.mktemp("narrow") / "attention.py"
    path.write_text(f"{solution}\n{narrow_softmax(cases)}", encoding="utf-8")
    return [
        check_path(path, lab, "en", cases=cases_for_marks(lab.name, secret), shrink=False) for secret in ("one", "two")
    ]


def narrow_softmax(cases):
    """Source of a softmax that knows the visible inputs of its checks and is wrong for all others."""
    groups = [group for check, group in cases.items() if check.startswith("softmax.")]
    known = {crc32(call[0].tobytes()) for group in groups for case in group for call in case.calls}
    return (
        f"from zlib import crc32\n_right, SEEN = softmax, {known!r}\n"
        "def softmax(x):\n    return _right(x) + (crc32(x.tobytes()) not in SEEN)\n"
    )


def text_of(name, report, lang="en"):
    text = FORMATS[name].dumps(report, lang, 1.5)
    if name == "classroom":
        return base64.b64decode(text).decode()
    return text


# --- what each format must look like ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pytests(tmp_path_factory):
    """What pytest itself writes about a file, through this project's plugin."""
    folder = tmp_path_factory.mktemp("pytest")
    (folder / "attention.py").write_text(CRASHES, encoding="utf-8", errors="surrogatepass")
    (folder / "conftest.py").write_text("from attnlab.pytest_plugin import pytest_collect_file\n", encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--junitxml=out.xml", "attention.py"]
    subprocess.run(command, cwd=folder, capture_output=True, timeout=300)
    return ET.parse(folder / "out.xml").getroot()


def shape(element):
    """Tags below an element, in order, with the names of their attributes."""
    return element.tag, sorted(element.attrib), [shape(child) for child in element]


def test_junit_names_and_orders_the_checks_as_pytest_does(wrong, pytests):
    ours = ET.fromstring(junit.dumps(wrong, texts.default_language()).encode())
    names = [[(case.get("classname"), case.get("name")) for case in root.iter("testcase")] for root in (ours, pytests)]
    assert names[0] == names[1]


def test_junit_has_the_elements_and_attributes_that_pytest_writes(wrong, pytests):
    ours = ET.fromstring(junit.dumps(wrong, "en").encode())
    assert (ours.tag, [child.tag for child in ours]) == (pytests.tag, [child.tag for child in pytests])
    assert set(ours[0].attrib) <= set(pytests[0].attrib)
    cases = {root.tag: list(root.iter("testcase")) for root in ours}
    theirs = {case.get("name"): shape(case) for case in pytests.iter("testcase")}
    bonus = {e.name for e in entries(wrong, "en") if e.bonus}
    for case in cases["testsuite"]:
        if case.get("name") not in bonus:  # pytest's plugin has no bonus
            assert shape(case) == theirs[case.get("name")]


def test_junit_counts_what_it_holds(wrong, right):
    for report in (wrong, right):
        (suite,) = ET.fromstring(junit.dumps(report, "en").encode())
        tags = {"failures": "failure", "skipped": "skipped", "errors": "error", "tests": "testcase"}
        assert {name: int(suite.get(name)) for name in tags} == {n: len(list(suite.iter(t))) for n, t in tags.items()}


def test_a_bonus_that_fails_turns_no_junit_report_red(judged, solution):
    report = judged(solution + "\ndef sigmoid(x):\n    return x\n")
    (suite,) = ET.fromstring(junit.dumps(report, "en").encode())
    assert suite.get("failures") == suite.get("errors") == "0"
    assert int(suite.get("skipped")) > 0


def test_gradescope_gets_the_keys_of_its_specification(wrong):
    document = json.loads(gradescope.dumps(wrong, "en", 1.5))
    assert set(document) <= {
        "score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility",
        "stdout_visibility", "extra_data", "tests", "leaderboard",
    }  # fmt: skip
    assert document["output_format"] == document["test_output_format"] == document["test_name_format"] == "text"
    assert document["stdout_visibility"] == "hidden"
    for test in document["tests"]:
        assert set(test) <= {
            "score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags",
            "visibility", "extra_data",
        }  # fmt: skip
        assert test["status"] in ("passed", "failed")
        assert test["visibility"] == "visible"
        assert bool(test["output"]) is (test["status"] == "failed")
    assert len({test["number"] for test in document["tests"]}) == len(document["tests"])


def test_gradescope_adds_up_to_the_points_without_the_bonus(wrong, right):
    for report in (wrong, right):
        document = gradescope.document(report, "en")
        counted = [test for test in document["tests"] if "bonus" not in test["tags"]]
        assert document["score"] == report.score == sum(test["score"] for test in counted)
        assert sum(test["max_score"] for test in counted) == report.max_score


def test_classroom_gets_the_keys_its_reporter_reads(wrong, right):
    for report, status in ((wrong, "fail"), (right, "pass")):
        text = classroom.dumps(report, "en")
        assert re.fullmatch(r"[A-Za-z0-9+/]+=*\n", text)
        document = json.loads(base64.b64decode(text, validate=False))
        assert list(document) == ["version", "status", "max_score", "tests"]
        assert (document["version"], document["status"], document["max_score"]) == (1, status, 10)
        assert sum(test["score"] for test in document["tests"]) == report.score
        for test in document["tests"]:
            assert {"name", "status", "score", "message", "test_code", "filename", "line_no", "duration"} <= set(test)
            assert test["status"] in ("pass", "fail", "error")


def test_classrooms_result_fits_into_an_environment_variable(judged):
    crash = "def {}(*args):\n    raise ValueError('\\u2603' * 100_000)\n"
    long = judged("".join(map(crash.format, labs.get("attention").functions)))
    text = classroom.dumps(long, "ru")
    assert len(text) < 128 * 1024 - 100
    assert len(json.loads(base64.b64decode(text))["tests"]) == len(labs.get("attention").checks)


# --- what a student writes does nothing -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_no_control_character_of_a_student_leaves(name, wrong):
    text = text_of(name, wrong)
    assert "x1B" in text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]", text)
    assert "\\u001b" not in text
    assert "\\u202e" not in text


def test_the_terminal_gets_no_escape_of_a_student_either(tmp_path):
    path = tmp_path / "attention.py"
    path.write_text(CRASHES, encoding="utf-8")
    done = attnlab("check", path, "--lab", "attention")
    assert "#x1B[2J" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_students_text_is_no_workflow_command(wrong):
    for test in json.loads(text_of("classroom", wrong))["tests"]:
        assert "::" not in test["message"]
        assert "##[" not in test["message"]
    assert not re.search(r"^\s*::", text_of("summary", wrong), re.MULTILINE)


class Tags(HTMLParser):
    """Collects the tags of a page."""

    def __init__(self):
        super().__init__()
        self.found = set()

    def handle_starttag(self, tag, attrs):
        self.found.add((tag, *attrs))


def test_a_students_text_is_neither_markdown_nor_html_in_the_summary(wrong):
    text = text_of("summary", wrong)
    tags = Tags()
    tags.feed(text)
    assert {tag for tag, *_ in tags.found} <= {"code", "pre", "br"}
    assert "<b>&]]>*_" in html.unescape(text)  # it is all there, as text
    line = next(line for line in text.splitlines() if "x1B" in line)
    assert not re.search(r"[*_`|\[\]~]", re.sub(r"^\*\*[^*]*\*\*", "", line))


# --- what is hidden stays hidden --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize("name", FORMATS)
def test_what_leaves_does_not_depend_on_the_hidden_numbers(name, lang, narrow):
    one, two = narrow
    outcomes = [[c.outcome for part in report.parts for c in part.checks] for report in narrow]
    assert outcomes[0] == outcomes[1]
    faults = [c.fault for c in one.part("softmax").checks if c.fault is not None]
    assert faults
    assert {fault.message for fault in faults} == {"fault.hidden"}
    assert text_of(name, one, lang) == text_of(name, two, lang)


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["text", "json", *FORMATS])
def test_output_goes_whole_into_a_file_and_nothing_to_the_terminal(format, tmp_path):
    out = tmp_path / "out"
    out.write_text("old", encoding="utf-8")
    options = ("check", "exercises/attention.py", "--format", format)
    printed = attnlab(*options)
    done = attnlab(*options, "--output", out)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    both = (printed.stdout, out.read_text("utf-8"))
    one, two = ([line.rstrip() for line in re.sub(r'(time"?[=:] ?"?)[\d.]+', r"\1", t).splitlines()] for t in both)
    assert one == two
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_a_place_that_cannot_be_written_to_is_a_sentence(lang, tmp_path):
    (tmp_path / "file").touch()
    for place in (tmp_path, tmp_path / "file" / "out"):
        done = attnlab("check", "exercises/attention.py", "--format", "junit", "--output", place, "--lang", lang)
        assert (done.returncode, done.stdout) == (4, "")
        assert str(place) in done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_watch_is_for_the_terminal_only(tmp_path):
    for options in (("--format", "junit"), ("--output", tmp_path / "out")):
        done = attnlab("check", "exercises/attention.py", "--watch", *options)
        assert done.returncode == 4
        assert done.stderr.strip() == texts.say("en", "watch.only_text")


@pytest.mark.parametrize("format", ["junit", "gradescope", "classroom", "summary"])
def test_a_file_that_cannot_be_read_is_a_result_as_well(format, tmp_path):
    path = tmp_path / "attention.py"
    path.write_text("def softmax(:\n", encoding="utf-8")
    done = attnlab("check", path, "--format", format)
    assert done.returncode == 1
    told = base64.b64decode(done.stdout).decode() if format == "classroom" else html.unescape(done.stdout)
    assert "attention.py cannot be run: line 1" in told
