"""The command as a user meets it: what it prints, in which language, and with which exit code."""

import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT

from attnlab import labs, texts

PARTS = ["causal_mask", "softmax", "attention", "causal_self_attention", "sigmoid", "gate"]


def attnlab(*arguments, cwd=ROOT, **environment):
    command = [sys.executable, "-c", "from attnlab.cli import main; main()", *map(str, arguments)]
    clean = {k: v for k, v in os.environ.items() if k not in ("LC_ALL", "LC_MESSAGES", "LANG", "ATTNLAB_LANG")}
    env = clean | {"PYTHONUTF8": "1", "COLUMNS": "80", "LANG": "en_US.UTF-8"} | environment
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120)


def document(*arguments, **options):
    done = attnlab("check", *arguments, "--format", "json", **options)
    return done, json.loads(done.stdout)


def test_the_solution_gets_ten_points_and_the_bonus():
    done, report = document("solutions/attention.py", "--lab", "attention")
    assert done.returncode == 0
    assert (report["score"], report["max_score"]) == (10, 10)
    assert {f["status"] for f in report["functions"].values()} == {"passed"}


def test_the_stubs_are_all_to_do():
    done, report = document("exercises/attention.py")
    assert done.returncode == 1
    assert report["score"] == 0
    assert {f["status"] for f in report["functions"].values()} == {"todo"}


def test_the_json_document_is_that_of_the_contract():
    _, report = document("exercises/attention.py")
    assert list(report) == ["version", "lab", "score", "max_score", "functions", "root_cause", "checks"]
    assert report["version"] == 1
    assert list(report["functions"]) == PARTS
    for name, function in report["functions"].items():
        assert list(function) == [
            "status", "score", "max_score", "bonus", "right_given_right_helpers", "misconception", "misconceptions",
            "diagnosis",
        ]  # fmt: skip
        assert function["bonus"] is (name in ("sigmoid", "gate"))
    for check in report["checks"]:
        assert list(check) == [
            "id", "function", "title", "outcome", "score", "max_score", "bonus", "message", "counterexample",
        ]  # fmt: skip
    points = {name: function["max_score"] for name, function in report["functions"].items()}
    assert points == {
        "causal_mask": 1, "softmax": 2, "attention": 4, "causal_self_attention": 3, "sigmoid": 1, "gate": 1,
    }  # fmt: skip
    assert sum(c["max_score"] for c in report["checks"] if not c["bonus"]) == report["max_score"] == 10


def test_a_bonus_that_is_wrong_is_no_failure(tmp_path, solution):
    path = tmp_path / "attention.py"
    path.write_text(solution + "\n\ndef sigmoid(x):\n    return x\n", encoding="utf-8")
    done, report = document(path)
    assert done.returncode == 0
    assert report["score"] == report["max_score"]
    assert report["functions"]["sigmoid"]["status"] == "failed"
    assert report["root_cause"] == "sigmoid"


def test_what_student_code_prints_never_reaches_the_document(tmp_path, solution):
    noise = "import os, sys\nprint('{')\nos.write(1, b'noise')\nos.write(2, b'noise')\nos.system('echo noise')\n"
    path = tmp_path / "attention.py"
    path.write_text(
        solution + noise + "def sigmoid(x):\n    print('noise')\n    sys.stderr.write('x')\n", encoding="utf-8"
    )
    done, report = document(path)
    assert report["score"] == 10
    assert "noise" not in done.stdout + done.stderr


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize("content", ["", "def f(:", "\0\0"])
def test_a_file_that_cannot_be_parsed_is_a_report(tmp_path, content, lang):
    path = tmp_path / "attention.py"
    path.write_text(content, encoding="utf-8")
    done, report = document(path, "--lang", lang)
    assert done.returncode == 1
    assert {f["status"] for f in report["functions"].values()} == {"error"}
    assert all("attention.py" in check["message"] for check in report["checks"])
    shown = attnlab("check", path, "--lang", lang)
    assert "attention.py" in shown.stdout
    assert shown.returncode == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "nothing.py"],
        ["check", "README.md"],
        ["check", "solutions/attention.py", "--lab", "nothing"],
        ["check", "solutions/attention.py", "--lang", "de"],
        ["check", "solutions/attention.py", "--format", "xml"],
        ["check", "--nothing"],
        ["nothing"],
        ["check", "tests/fair"],
    ],
)
def test_what_makes_no_sense_is_a_sentence_and_exit_code_4(arguments):
    done = attnlab(*arguments)
    assert done.returncode == 4
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip()) > 10


def test_the_language_follows_the_locale_and_the_option():
    russian = attnlab("check", "exercises/attention.py", LANG="ru_RU.UTF-8").stdout
    assert "баллов" in russian
    assert "points" in attnlab("check", "exercises/attention.py", "--lang", "en", LANG="ru_RU.UTF-8").stdout


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_a_failing_softmax_is_explained_on_80_columns_without_colour(tmp_path, solution, lang):
    path = tmp_path / "attention.py"
    path.write_text(solution.replace("x - x.max(axis=-1, keepdims=True)", "x + 0"), encoding="utf-8")
    shown = attnlab("check", path, "--lang", lang).stdout
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80
    for line in (texts.say(lang, "title.softmax.neginf", lab="attention"), "-inf", "<NaN>", "softmax"):
        assert line in shown


def test_a_terminal_that_knows_no_check_mark_gets_another_sign():
    done = attnlab("check", "solutions/attention.py", PYTHONUTF8="0", PYTHONIOENCODING="cp1251:strict")
    assert done.returncode == 0, done.stderr


def test_a_broken_grader_says_so_and_exits_with_3(tmp_path):
    code = "import attnlab.judge as j\ndef broken(*a, **k): raise RuntimeError('x')\nj.check_path = broken\n"
    code += (
        "from attnlab.cli import main\nimport sys\nsys.argv = ['attnlab', 'check', 'solutions/attention.py']\nmain()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 3
    assert "Traceback" not in done.stderr


def test_pytest_shows_each_check_as_one_test(tmp_path, solution, lab):
    (tmp_path / "attention.py").write_text(solution.replace("math.sqrt(d_k)", "1"), encoding="utf-8")
    (tmp_path / "conftest.py").write_bytes((ROOT / "exercises" / "conftest.py").read_bytes())
    env = os.environ | {"ATTNLAB_LANG": "en"}
    command = [sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 1
    assert "softmax: Each row is exp(x) divided by its sum PASSED" in done.stdout
    assert "attention: Scores are divided by √d_k FAILED" in done.stdout
    assert done.stdout.count("PASSED") + done.stdout.count(" FAILED") == len(lab.checks)
    assert "Traceback" not in done.stdout


def test_labs_are_known_by_name():
    assert labs.get("attention").name == "attention"
    with pytest.raises(KeyError):
        labs.get("nothing")
