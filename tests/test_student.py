"""start, hint, status, reset and doctor as students meet them: what they print, write and leave alone."""

import ast
import errno
import io
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from conftest import ROOT, every_lab

from attnlab import labs, submission, texts
from attnlab.command_line import stop
from attnlab.student import doctor, hints, progress, reset, workspace
from attnlab.student.advice import command

STUBS = (ROOT / "exercises" / "attention.py").read_text(encoding="utf-8").replace("exercises/attention", "attention")


def attnlab(*arguments, cwd, lang="en"):
    command = [sys.executable, "-m", "attnlab.cli", *map(str, arguments), "--lang", lang]
    env = os.environ | {"PYTHONUTF8": "1", "COLUMNS": "80"}
    return subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True, encoding="utf-8", timeout=120)


@pytest.fixture
def folder(tmp_path):
    """A working folder as `attnlab start` makes it."""
    workspace.start(tmp_path / "work", [labs.get(name) for name in labs.LABS], "en")
    return tmp_path / "work"


@pytest.fixture
def no_writing(monkeypatch):
    """A disk that nothing can be written to, also for root."""

    def refuse(*_, **__):
        raise PermissionError(13, "Permission denied")

    for module in (workspace, reset, doctor):
        monkeypatch.setattr(module, "write_whole", refuse)


def names(folder):
    return sorted(path.name for path in folder.iterdir())


# start


def untouched(lab, lang):
    """Return what a lab's two files hold at the start."""
    script = (ROOT / "exercises" / f"{lab}.py").read_bytes().replace(b"exercises/", b"")
    return {f"{lab}.py": script, f"{lab}.ipynb": (ROOT / "notebooks" / lang / f"{lab}.ipynb").read_bytes()}


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_start_hands_out_every_lab_and_nothing_else(tmp_path, lang):
    done = attnlab("start", "work", cwd=tmp_path, lang=lang)
    assert done.returncode == 0
    wanted = {name: data for lab in labs.LABS for name, data in untouched(lab, lang).items()}
    assert names(tmp_path / "work") == sorted([*wanted, "AGENTS.md", "conftest.py"])
    assert {name: (tmp_path / "work" / name).read_bytes() for name in wanted} == wanted
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


@every_lab
def test_start_hands_out_one_lab_alone_when_it_is_named(tmp_path, lab):
    assert attnlab("start", "work", "--lab", lab.name, cwd=tmp_path).returncode == 0
    assert names(tmp_path / "work") == sorted([*untouched(lab.name, "en"), "AGENTS.md", "conftest.py"])


def test_the_note_for_assistants_exists_in_both_languages_and_says_the_same():
    notes = [(ROOT / "src/attnlab/student" / f"agents.{lang}.md").read_text(encoding="utf-8") for lang in ("en", "ru")]
    assert notes[0].count("\n- ") == notes[1].count("\n- ") == 5


def test_start_never_overwrites_and_says_what_is_there(folder):
    (folder / "attention.py").write_text("mine = 1\n")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    done = attnlab("start", folder, cwd=folder)
    assert done.returncode == 4
    assert "attention.py" in done.stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_start_adds_what_is_missing_and_says_what_it_kept(folder):
    (folder / "attention.py").write_text("mine = 1\n")
    (folder / "AGENTS.md").unlink()
    done = attnlab("start", folder, cwd=folder)
    assert done.returncode == 0
    kept = " ".join(done.stdout.split()).partition("left as they are: ")[2].partition(". ")[0].split(", ")
    assert sorted(kept) == sorted(set(names(folder)) - {"AGENTS.md"})
    assert (folder / "AGENTS.md").exists()
    assert (folder / "attention.py").read_text() == "mine = 1\n"


def test_start_where_a_file_is_in_the_way_is_a_sentence(tmp_path):
    (tmp_path / "work").write_text("")
    done = attnlab("start", "work", cwd=tmp_path)
    assert done.returncode == 4
    assert "is a file" in done.stderr


def test_start_where_nothing_can_be_written_is_a_sentence(tmp_path, lab, no_writing):
    with pytest.raises(submission.UsageError) as refused:
        workspace.start(tmp_path, [lab], "en")
    assert "Permission denied" in texts.say("ru", refused.value.message, refused.value.facts)


def test_pytest_works_in_the_folder(folder, solution):
    (folder / "attention.py").write_text(solution, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "attention.py"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, encoding="utf-8")
    assert done.returncode == 0, done.stdout
    assert f"{len(labs.get('attention').checks)} passed" in done.stdout


# which file is meant


def test_of_a_script_and_a_notebook_the_one_worked_on_is_meant(folder, lab):
    script, notebook = folder / "attention.py", folder / "attention.ipynb"
    assert workspace.find(folder, lab) == script
    text = notebook.read_text(encoding="utf-8")
    notebook.write_text(text.replace("    raise NotImplementedError()", "    return 1"), encoding="utf-8")
    assert workspace.find(folder, lab) == notebook
    script.write_text("x = 1\n")
    with pytest.raises(submission.UsageError):
        workspace.find(folder, lab)


def test_a_notebook_that_was_only_saved_again_is_untouched(folder, lab):
    path = folder / "attention.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["metadata"]["widgets"] = {}
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert workspace.find(folder, lab) == folder / "attention.py"


# hint


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_each_call_gives_one_more_level_and_the_last_one_stays(folder, lab, lang):
    levels = hints.hints(lab, lang)["gate"]
    given = [hints.hint("gate", folder, lab, lang) for _ in range(5)]
    assert [h.level for h in given] == [1, 2, 3, 3, 3]
    assert [h.text for h in given] == [*levels, levels[2], levels[2]]
    assert hints.hint("softmax", folder / "attention.py", lab, lang).level == 1
    assert workspace.recall(folder, "attention").hints == {"gate": 3, "softmax": 1}


def test_hint_says_its_level_and_how_to_get_the_next(folder):
    done = attnlab("hint", "softmax", cwd=folder)
    assert done.returncode == 0
    assert "softmax: hint 1 of 3" in done.stdout
    assert "attnlab hint softmax" in done.stdout
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_hint_for_an_unknown_function_lists_those_there_are(folder):
    done = attnlab("hint", "soft", cwd=folder)
    assert done.returncode == 4
    assert "causal_mask, softmax, attention, causal_self_attention, sigmoid, gate" in done.stderr
    assert attnlab("hint", "softmax", "nowhere", cwd=folder).returncode == 4


def test_hint_without_write_access_still_helps(folder, lab, no_writing):
    given = [hints.hint("softmax", folder, lab, "en") for _ in range(2)]
    assert [(h.level, h.noted) for h in given] == [(1, False), (1, False)]


@pytest.mark.parametrize(
    "spoilt", ["", "{", "[]", '{"labs": 3}', '{"labs": {"attention": {"hints": {"softmax": "x"}}}}']
)
def test_a_spoilt_memory_is_no_memory(folder, lab, spoilt):
    (folder / workspace.MEMORY).write_text(spoilt)
    assert hints.hint("softmax", folder, lab, "en").level == 1


# status


def test_status_shows_each_part_what_is_next_and_what_is_new(folder, solution):
    done = attnlab("status", cwd=folder)
    assert done.returncode == 0
    assert "0 of 10 points" in done.stdout
    assert "attnlab hint causal_mask" in done.stdout
    attnlab("hint", "attention", cwd=folder)
    (folder / "attention.py").write_text(solution.replace("math.sqrt(d_k)", "1"), encoding="utf-8")
    done = attnlab("status", cwd=folder)
    assert "Right since the last time: causal_mask, softmax, sigmoid." in done.stdout
    assert "hints read: 1" in done.stdout
    assert "attnlab check attention.py" in done.stdout
    (folder / "attention.py").write_text(solution, encoding="utf-8")
    assert "attnlab quiz" in attnlab("status", cwd=folder).stdout
    assert "since" not in attnlab("status", cwd=folder).stdout


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_status_fits_80_columns(folder, lang):
    for _ in range(3):
        attnlab("hint", "causal_self_attention", cwd=folder)
    done = attnlab("status", cwd=folder, lang=lang)
    assert all(len(line) <= 80 for line in done.stdout.splitlines())


def test_status_without_write_access_still_checks(folder, lab, no_writing):
    assert progress.status(folder, lab, "en").report.score == 0


def test_status_where_nothing_is_says_how_to_begin(tmp_path):
    done = attnlab("status", cwd=tmp_path)
    assert done.returncode == 4
    assert "attnlab start" in done.stderr
    assert attnlab("status", "nowhere", cwd=tmp_path).returncode == 4


def test_status_of_a_file_that_cannot_be_parsed_is_shown(folder):
    (folder / "attention.py").write_text("def f(:\n")
    done = attnlab("status", cwd=folder)
    assert done.returncode == 0
    assert "causal_mask" in done.stdout


# reset


def span_of(source, name):
    node = next(n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == name)
    return source.split("\n")[node.lineno - 1 : node.end_lineno]


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "marked"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["unix", "windows", "old mac"])
@pytest.mark.parametrize("function", labs.get("attention").functions)
def test_reset_changes_the_function_and_no_other_byte(tmp_path, lab, solution, function, newline, mark):
    path = tmp_path / "attention.py"
    text = "# моё\n" + solution.rstrip("\n")
    path.write_bytes(mark + text.replace("\n", newline).encode())
    reset.reset(function, path, lab, "en")
    mine, stub = "\n".join(span_of(text, function)), "\n".join(span_of(STUBS, function))
    assert path.read_bytes() == mark + text.replace(mine, stub).replace("\n", newline).encode()


def test_reset_keeps_the_old_file_and_never_overwrites_a_backup(folder, lab, solution, monkeypatch):
    monkeypatch.setattr(reset.time, "strftime", lambda _: "20260101-120000")
    path = folder / "attention.py"
    path.write_text(solution, encoding="utf-8")
    first, second = (reset.reset("softmax", path, lab, "en").backup for _ in range(2))
    assert first.name == "attention.py.20260101-120000.bak"
    assert first.read_text(encoding="utf-8") == solution
    assert second != first
    assert second.read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("@cache\n@wraps(f)\ndef softmax(x):\n    return x\nY = 1\n", "STUB\nY = 1\n"),
        ("def softmax(x):\n    return 1\n\ndef softmax(x):\n    return 2\n", "def softmax(x):\n    return 1\n\nSTUB\n"),
        (
            "class A:\n    def softmax(x):\n        return 1\n",
            "class A:\n    def softmax(x):\n        return 1\n\n\nSTUB\n",
        ),
        ("softmax = lambda x: (\n    x\n)\n# end", "STUB\n# end"),
        ("a = 1; softmax = len; b = 2", "a = 1; softmax = len; b = 2\n\n\nSTUB\n"),
        ("def softmax(x):  # odd\n\treturn '''\n\n'''  # end", "STUB"),
        ("", "STUB\n"),
        ("%matplotlib inline\ndef softmax(x): return x\n", "%matplotlib inline\nSTUB\n"),
        ("\n%%time\n\ndef softmax(x): return x\n", "\n%%time\n\nSTUB\n"),
        ("x = '\f'\n\f\ndef softmax(x):\n    return x\n", "x = '\f'\n\f\nSTUB\n"),
        ("x = '\u2028\x85'\ndef softmax(x):\n    return x\n", "x = '\u2028\x85'\nSTUB\n"),
    ],
)
def test_reset_finds_the_definition_that_counts(before, after):
    assert reset.in_source(before, "softmax", "STUB")[0] == after


def test_reset_of_code_that_is_no_python_offers_the_whole_file(folder):
    path = folder / "attention.py"
    path.write_text("def f(:\n")
    done = attnlab("reset", "softmax", cwd=folder)
    assert done.returncode == 4
    assert "--all" in done.stderr
    assert path.read_text() == "def f(:\n"
    assert not list(folder.glob("*.bak"))
    done = attnlab("reset", "--all", "attention.py", cwd=folder)
    assert done.returncode == 0
    assert path.read_text(encoding="utf-8") == STUBS
    assert [backup.read_text() for backup in folder.glob("*.bak")] == ["def f(:\n"]


@pytest.mark.parametrize("arguments", [["gates"], [], ["softmax", "attention.py", "--all"], ["softmax", "nowhere.py"]])
def test_reset_of_what_makes_no_sense_is_a_sentence(folder, arguments):
    done = attnlab("reset", *arguments, cwd=folder)
    assert done.returncode == 4
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


def test_reset_that_cannot_write_leaves_the_file(folder, lab, solution, no_writing):
    (folder / "attention.py").write_text(solution, encoding="utf-8")
    with pytest.raises(submission.UsageError) as refused:
        reset.reset("softmax", folder, lab, "en")
    assert "Permission denied" in texts.say("ru", refused.value.message, refused.value.facts)
    assert (folder / "attention.py").read_text(encoding="utf-8") == solution


def test_a_backup_that_does_not_fit_on_the_disk_leaves_no_half_of_it(folder, lab, solution, monkeypatch):
    (folder / "attention.py").write_text(solution, encoding="utf-8")

    class Full(io.FileIO):
        def write(self, data):
            super().write(data[:100])
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(reset, "open", lambda path, mode: Full(path, "x"), raising=False)
    before = names(folder)
    with pytest.raises(submission.UsageError, match=r"reset\.denied"):
        reset.reset("softmax", folder, lab, "en")
    assert names(folder) == before
    assert (folder / "attention.py").read_text(encoding="utf-8") == solution


def code_of(path):
    return dict(submission.read(path).chunks)


@pytest.mark.parametrize("body", ["    return x", "    return (x"], ids=["wrong", "no Python"])
def test_reset_in_a_notebook_changes_the_cell_that_defines_the_function(folder, lab, body):
    path = folder / "attention.ipynb"
    before = code_of(path)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = next(c for c in notebook["cells"] if "".join(c["source"]).startswith("def softmax"))
    cell["source"] = ["def softmax(x):\n", body]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert code_of(path) != before
    done = reset.reset("softmax", path, lab, "en")
    assert not done.added
    assert code_of(path) == before


def test_reset_in_a_notebook_without_the_function_adds_a_cell(folder, lab):
    path = folder / "attention.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"] = [c for c in notebook["cells"] if not "".join(c["source"]).startswith("def softmax")]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    assert reset.reset("softmax", path, lab, "en").added
    nbformat = pytest.importorskip("nbformat")
    nbformat.validate(nbformat.read(path, as_version=4))
    assert any(source.startswith("def softmax") for source in code_of(path).values())


# doctor


def test_doctor_finds_this_machine_well(tmp_path):
    done = attnlab("doctor", cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    assert "Python 3." in done.stdout
    assert "NumPy 2." in done.stdout
    assert names(tmp_path) == []


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_finding_that_is_not_right_says_what_to_do(tmp_path, lang, monkeypatch):
    def broken(*_):
        raise OSError("no processes today")

    found = [
        doctor.python((3, 10, 2)),
        doctor.process(broken),
        doctor.terminal("cp1252"),
        doctor.access(Path("/nowhere")),
    ]
    for finding in found:
        assert finding.ok is False
        assert texts.say(lang, finding.message, finding.facts)
        assert texts.say(lang, finding.advice)


def test_doctor_ends_with_exit_code_1_when_something_is_wrong(tmp_path):
    env = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "attnlab.cli", "doctor", "--lang", "en"]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "PYTHONUTF8=1" in done.stdout


def test_what_only_some_need_is_no_fault(monkeypatch):
    def absent(_):
        raise doctor.metadata.PackageNotFoundError

    monkeypatch.setattr(doctor.metadata, "version", absent)
    assert doctor.nbgrader().ok is None


# commands to copy, sentences to read


@pytest.mark.parametrize("name", ["Моя папка", "Внимание", "plain"])
def test_folders_with_blanks_and_other_alphabets_can_be_copied_from_what_start_says(tmp_path, name):
    done = attnlab("start", name, cwd=tmp_path)
    line = next(line for line in done.stdout.splitlines() if line.startswith("  cd "))
    assert shlex.split(line) == ["cd", name]
    assert (line == f"  cd {name}") == (" " not in name)  # no quotes that nobody needs


def test_the_next_command_speaks_the_language_of_this_one(folder, monkeypatch):
    monkeypatch.setattr(texts, "default_language", lambda: "en")
    assert command("attnlab", "status", lang="ru") == "attnlab status --lang ru"
    assert command("attnlab", "status", lang="en") == "attnlab status"


@pytest.mark.parametrize("terminal", [True, False])
def test_a_long_sentence_is_wrapped_between_words_in_a_terminal_only(monkeypatch, terminal):
    class Stream(io.StringIO):
        def isatty(self):
            return terminal

    monkeypatch.setattr(sys, "stderr", Stream())
    monkeypatch.setenv("COLUMNS", "40")
    sentence = "The functions are: causal_mask, softmax, attention, causal_self_attention, sigmoid."
    with pytest.raises(typer.Exit):
        stop(sentence)
    lines = sys.stderr.getvalue().splitlines()
    assert " ".join(lines) == sentence
    assert (max(map(len, lines)) <= 40) == terminal
