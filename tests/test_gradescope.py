"""The archive for Gradescope, tried as Gradescope uses it; and the template for GitHub Classroom."""

import io
import json
import os
import subprocess
import sys
import sysconfig
import zipfile

import pytest
from conftest import ROOT
from test_cli import attnlab

from attnlab import labs, texts
from attnlab.grading import gradescope_run, marks, twice
from attnlab.grading.gradescope import autograder
from attnlab.grading.wheel import requirements, wheel
from attnlab.judge import check_path


def unpack(data, root):
    """Put an archive where Gradescope does, with the modes it names."""
    source = root / "source"
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for entry in archive.infolist():
            path = source / entry.filename
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(archive.read(entry))
            path.chmod(entry.external_attr >> 16 & 0o777)
    (root / "submission").mkdir()
    return source


@pytest.fixture
def container(tmp_path, lab):
    """A folder as Gradescope's /autograder is before a submission is graded; attnlab is the one under test."""
    unpack(autograder(lab, "a secret", "en", 0.5), tmp_path)
    return tmp_path


def results(root):
    gradescope_run.main(root)
    return json.loads((root / "results" / "results.json").read_text(encoding="ascii"))


# --- the archive ------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(os.name == "nt", reason="the archive is for Gradescope's Linux images; its scripts need bash")
def test_the_archive_installs_itself_and_grades(tmp_path, lab, solution):
    source = unpack(autograder(lab, "a secret", "ru", 0.5), tmp_path)
    (tmp_path / "submission" / "attention.py").write_text(solution, encoding="utf-8")
    site = sysconfig.get_path("purelib")  # stands for the index: everything attnlab needs, but not attnlab itself
    env = os.environ | {
        "ATTNLAB_AUTOGRADER": str(tmp_path), "ATTNLAB_PYTHON": sys.executable, "PYTHONPATH": site, "PIP_NO_INDEX": "1",
    }  # fmt: skip
    for script in ("setup.sh", "run_autograder"):
        done = subprocess.run([source / script], env=env, cwd=tmp_path, capture_output=True, text=True, timeout=600)
        assert done.returncode == 0, done.stdout + done.stderr
    document = json.loads((tmp_path / "results" / "results.json").read_text(encoding="ascii"))
    assert document["score"] == 10
    assert {test["status"] for test in document["tests"]} == {"passed"}
    assert texts.say("ru", "report.all_right") in document["output"]
    (package,) = (tmp_path / "venv").rglob("site-packages/attnlab/cli.py")
    (built,) = source.glob("*.whl")
    assert package.read_bytes() == zipfile.ZipFile(built).read("attnlab/cli.py")


def test_the_wheel_is_whole_and_the_same_each_time():
    name, data = wheel()
    assert wheel() == (name, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        names = archive.namelist()
        record = archive.read(next(n for n in names if n.endswith("RECORD"))).decode()
    assert [line.split(",")[0] for line in record.splitlines()] == names
    package = ROOT / "src" / "attnlab"
    shipped = {f"attnlab/{path.relative_to(package).as_posix()}" for path in package.rglob("*.py")}
    assert shipped <= set(names)
    assert not any("__pycache__" in n or "tests/" in n for n in names)


def test_what_is_needed_is_pinned():
    lines = requirements().split()
    assert {"numpy", "hypothesis", "scipy"} <= {line.partition("==")[0] for line in lines}
    assert all("==" in line for line in lines)


# --- a run ------------------------------------------------------------------------------------------------------------


def test_points_are_those_of_the_course(container, lab, tmp_path):
    wrong = ROOT / "tests" / "wrong" / "attention" / "square_mask_always_sees_itself.py"
    (container / "submission" / "attention.py").write_bytes(wrong.read_bytes())
    document = results(container)
    expected = check_path(wrong, lab, "en", cases=marks.cases_for_marks(lab.name, "a secret"), shrink=False)
    assert document["score"] == marks.with_credit(expected, 0.5).score < 10


def test_student_code_finds_no_secret_on_the_disk(container, solution):
    spy = solution + (
        "\nimport pathlib\n"
        "try:\n"
        f"    FOUND = [p.name for p in pathlib.Path({str(container)!r}).rglob('*') if 'secret' in p.name]\n"
        "except OSError:\n"
        "    FOUND = []  # it may not even look\n"
        "def sigmoid(x):\n    raise ValueError(f'found {FOUND}')\n"
    )
    (container / "submission" / "attention.py").write_text(spy, encoding="utf-8")
    assert "found []" in json.dumps(results(container))


STASH = """
STASH = []
def softmax(x, _right=softmax):
    if len(STASH) > {calls}:
        raise ValueError("stash " + repr(STASH[{first}:{calls}]))
    STASH.append(float(x.ravel()[0]))
    return _right(x)
"""


def test_hidden_inputs_that_code_has_kept_are_not_told_by_a_later_exception(container, lab, solution):
    group = marks.cases_for_marks(lab.name, "a secret")["softmax.values"]
    calls = sum(len(case.calls) for case in group)
    first = calls - sum(len(case.calls) for case in group if case.hidden)
    code = solution + STASH.format(first=first, calls=calls)
    (container / "submission" / "attention.py").write_text(code, encoding="utf-8")
    cases = marks.cases_for_marks(lab.name, "a secret")
    straight = check_path(container / "submission" / "attention.py", lab, "en", cases=cases, shrink=False)
    kept = [f"{case.calls[0][0].ravel()[0]}" for case in group if case.hidden]
    told = " ".join(str(c.fault.facts) for c in straight.part("softmax").checks if c.fault is not None)
    if "stash" in told:  # else the engine itself has come to keep the two apart
        assert any(value in told for value in kept)
    output = " ".join(test["output"] for test in results(container)["tests"] if test["name"].startswith("softmax"))
    shown = [entry.partition("]")[0] for entry in output.split("stash [")[1:]]
    visible = {f"{call[0].ravel()[0]}" for c in labs_visible(lab) for call in c.calls}
    assert all(value in visible for values in shown for value in values.split(", ") if value)


def labs_visible(lab):
    from attnlab.checking import cases

    return [case for check, group in cases.visible(lab).items() if check.startswith("softmax.") for case in group]


@pytest.mark.parametrize(
    ("names", "message"),
    [
        ((), "export.nothing"),
        ((".hidden.py", "__MACOSX/x.py"), "export.nothing"),
        (("a.py", "b/c.ipynb"), "export.several"),
    ],
)
def test_files_that_cannot_be_told_apart_are_a_sentence(container, names, message):
    for name in names:
        path = container / "submission" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x = 1\n", encoding="utf-8")
    document = results(container)
    start = texts.catalogue("en")[message].partition("{")[0]
    assert document["score"] == 0
    assert document["output"].startswith(start)


def test_the_only_file_is_taken_whatever_its_name(container, solution):
    (container / "submission" / "моя работа").mkdir()
    (container / "submission" / "моя работа" / "ответ.py").write_text(solution, encoding="utf-8")
    assert results(container)["score"] == 10


@pytest.mark.parametrize("spoilt", ["settings.json", "secret.txt"])
def test_a_grader_that_breaks_says_so_and_blames_nobody(container, spoilt, capsys):
    (container / "source" / spoilt).unlink()
    document = results(container)
    assert document["tests"] == []
    assert document["output"] == texts.say("en", "export.grader_broke", {"type": "FileNotFoundError"})
    assert "FileNotFoundError" in capsys.readouterr().out


def test_a_check_that_only_the_hidden_cases_fail_is_lost_and_nothing_more_is_told(judged, solution):
    shown = judged(solution)
    hidden = judged(solution + "\ndef softmax(x):\n    return x\n")
    both = [twice._both(*pair) for pair in zip(shown.parts, hidden.parts, strict=True)]
    assert [p.status for p in both] == [p.status for p in hidden.parts]
    assert [c.outcome for p in both for c in p.checks] == [c.outcome for p in hidden.parts for c in p.checks]
    assert {c.fault.message for p in both for c in p.checks if c.fault} == {"fault.hidden"}
    assert all(c.counterexample is None for p in both for c in p.checks)


# --- the commands -----------------------------------------------------------------------------------------------------


def secret_in(path):
    with zipfile.ZipFile(path) as archive:
        return archive.read("secret.txt").decode().strip()


def test_the_archive_takes_the_courses_secret_a_given_one_or_a_new_one(tmp_path):
    course = tmp_path / "course"
    course.mkdir()
    (course / ".secret").write_text("of the course", encoding="ascii")
    out = tmp_path / "out.zip"
    for options, expected in ((("--course", course), "of the course"), (("--secret", "given"), "given")):
        done = attnlab("gradescope", out, "--lab", "attention", *options, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert secret_in(out) == expected
    (course / "nbgrader_config.py").touch()
    assert attnlab("gradescope", out, "--lab", "attention", cwd=course).returncode == 0
    assert secret_in(out) == "of the course"
    fresh = set()
    for _ in range(2):
        assert attnlab("gradescope", out, "--lab", "attention", cwd=tmp_path).returncode == 0
        fresh.add(secret_in(out))
    assert len(fresh) == 2
    if os.name != "nt":
        assert out.stat().st_mode & 0o077 == 0  # it holds the secret


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("out.zip",), "export.which_lab"),
        (("out.txt", "--lab", "gates"), "export.not_zip"),
        (("out.zip", "--lab", "gates", "--course", ".", "--secret", "x"), "export.two_secrets"),
        (("out.zip", "--lab", "gates", "--secret", " "), "export.empty_secret"),
        (("out.zip", "--lab", "gates", "--course", "absent"), "export.no_course"),
        (("out.zip", "--lab", "absent"), "read.unknown_lab"),
        (("file/out.zip", "--lab", "gates", "--secret", "x"), "export.denied"),
    ],
)
def test_what_makes_no_sense_is_a_sentence(arguments, message, lang, tmp_path):
    (tmp_path / "file").touch()
    done = attnlab("gradescope", *arguments, "--lang", lang, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (4, "")
    assert done.stderr.startswith(texts.catalogue(lang)[message].partition("{")[0])
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_classroom_template_is_a_workflow_that_installs_what_lies_beside_it(lang, tmp_path):
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with Jupyter; without it the workflow is not read")
    done = attnlab("classroom", tmp_path / "t", "--lab", "attention", "--lang", lang)
    assert (done.returncode, done.stderr) == (0, "")
    name, data = wheel()
    with zipfile.ZipFile(tmp_path / "t" / ".github" / name) as beside, zipfile.ZipFile(io.BytesIO(data)) as built:
        assert beside.namelist() == built.namelist()
    text = (tmp_path / "t" / ".github" / "workflows" / "classroom.yml").read_text(encoding="utf-8")
    note = (tmp_path / "t" / "CLASSROOM.md").read_text(encoding="utf-8")
    assert "@@" not in text + note
    workflow = yaml.safe_load(text)
    assert workflow["name"] == "Autograding Tests"  # Classroom looks for these two names
    steps = workflow["jobs"]["run-autograding-tests"]["steps"]
    assert f".github/{name}" in steps[2]["run"]
    assert steps[-1]["env"]["ATTNLAB_RESULTS"] == "${{ steps.attnlab.outputs.result }}"
    assert steps[-1]["with"]["runners"].upper() + "_RESULTS" in steps[-1]["env"]


@pytest.mark.skipif(os.name == "nt", reason="the workflow runs on Linux; its step needs bash")
def test_the_step_of_the_workflow_hands_on_points_and_summary(tmp_path):
    import base64

    yaml = pytest.importorskip("yaml", reason="PyYAML comes with Jupyter; without it the workflow is not read")
    attnlab("classroom", tmp_path, "--lab", "attention")
    attnlab("start", tmp_path)
    workflow = yaml.safe_load((tmp_path / ".github" / "workflows" / "classroom.yml").read_text(encoding="utf-8"))
    steps = workflow["jobs"]["run-autograding-tests"]["steps"]
    (script,) = (step["run"] for step in steps if step.get("id") == "attnlab")
    env = os.environ | {name: str(tmp_path / name) for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "RUNNER_TEMP")}
    (tmp_path / "RUNNER_TEMP").mkdir()
    env["PATH"] = os.path.dirname(sys.executable) + os.pathsep + env["PATH"]
    bash = ["bash", "-e", "-c", script]  # as GitHub runs a step
    done = subprocess.run(bash, cwd=tmp_path, env=env, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    key, _, value = (tmp_path / "GITHUB_OUTPUT").read_text(encoding="utf-8").strip().partition("=")
    assert key == "result"
    assert len(json.loads(base64.b64decode(value))["tests"]) == len(labs.get("attention").checks)
    assert "attention" in (tmp_path / "GITHUB_STEP_SUMMARY").read_text(encoding="utf-8")


def test_files_that_are_there_stay(tmp_path):
    (tmp_path / "CLASSROOM.md").write_text("mine", encoding="utf-8")
    first = attnlab("classroom", tmp_path, "--lab", "attention")
    assert first.returncode == 0
    assert "CLASSROOM.md" in first.stdout
    assert (tmp_path / "CLASSROOM.md").read_text(encoding="utf-8") == "mine"
    again = attnlab("classroom", tmp_path, "--lab", "attention")
    assert again.returncode == 4
    assert again.stderr.startswith("Nothing was written")
