"""What `attnlab build` writes is in step, stable, says where it came from, and refuses sources that contradict."""

import ast
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

pytest.importorskip("nbformat", reason="nbformat is not installed: no notebooks can be built")

from conftest import every_lab

from attnlab.authoring import BuildError, build
from attnlab.authoring.files import generate
from attnlab.authoring.sources import read_sources
from attnlab.labs.model import Lab

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class LabElsewhere(Lab):
    """A lab whose folder is another one."""

    at: Path = Path()

    @property
    def folder(self):
        return self.at


@pytest.fixture
def built(tmp_path, lab):
    """A folder with everything generated in it."""
    build(tmp_path, course=[lab])
    return tmp_path


@pytest.fixture
def edited(tmp_path, lab):
    """``edited(file, old, new) -> Lab``: the lab with one of its source files changed."""

    def edit(name, old, new):
        folder = tmp_path / "lab"
        if not folder.exists():
            folder.mkdir()
            for source in ("lesson.en.md", "lesson.ru.md", "cells.py", "todo.toml"):
                (folder / source).write_bytes((lab.folder / source).read_bytes())
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")
        return LabElsewhere(lab.name, lab.core, lab.parts, lab.checks, at=folder)

    return edit


def functions_of(text):
    """Return the functions of a module by name."""
    return {node.name: node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)}


def test_what_is_committed_is_what_would_be_generated():
    assert build(ROOT, check=True) == []


def test_building_twice_gives_the_same_bytes_and_writes_nothing_the_second_time(built, lab):
    before = {path: path.read_bytes() for path in built.rglob("*") if path.is_file()}
    assert build(built, course=[lab]) == []
    assert {path: path.read_bytes() for path in built.rglob("*") if path.is_file()} == before


def test_checking_writes_nothing_and_lists_everything_that_is_missing(tmp_path, lab):
    missing = build(tmp_path, check=True, course=[lab])
    assert missing == [
        "exercises/attention.py",
        "grading/source/attention-ru/attention-ru.ipynb",
        "grading/source/attention/attention.ipynb",
        "notebooks/en/attention.ipynb",
        "notebooks/ru/attention.ipynb",
        "solutions/attention.py",
        "src/attnlab/labs/attention/start/attention.py",
        "src/attnlab/labs/attention/start/en.ipynb",
        "src/attnlab/labs/attention/start/ru.ipynb",
    ]
    assert list(tmp_path.iterdir()) == []


def test_an_edited_file_has_drifted_and_is_written_again(built, lab):
    (built / "solutions/attention.py").write_text("x = 1\n")
    assert build(built, check=True, course=[lab]) == ["solutions/attention.py"]
    assert build(built, course=[lab]) == ["solutions/attention.py"]
    assert build(built, check=True, course=[lab]) == []


def test_line_ends_count_as_drift(built, lab):
    path = built / "exercises/attention.py"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(built, check=True, course=[lab]) == ["exercises/attention.py"]


@pytest.mark.parametrize("stray", ["notebooks/en/old.ipynb", "grading/source/attention/data.csv", "exercises/old.py"])
def test_a_stray_file_in_a_generated_folder_is_listed(built, lab, stray):
    (built / stray).write_text("")
    assert build(built, check=True, course=[lab]) == [stray]


@pytest.mark.parametrize("cache", ["exercises/__pycache__/a.pyc", "notebooks/en/.ipynb_checkpoints/a.ipynb"])
def test_caches_are_no_strays(built, lab, cache):
    (built / cache).parent.mkdir()
    (built / cache).write_text("")
    assert build(built, check=True, course=[lab]) == []


@every_lab
def test_every_generated_file_names_a_source_that_exists_in_its_first_lines(lab):
    for path, text in generate(read_sources(lab)).items():
        first_lines = "\n".join(text.splitlines()[:14])
        assert "attnlab build" in first_lines, path
        named = [word.strip("`;,.") for word in first_lines.split() if word.startswith("src/")]
        assert named, path
        assert all((ROOT / name).is_file() for name in named), (path, named)


@every_lab
def test_generated_files_end_in_one_newline_and_hold_no_carriage_return(lab):
    for path, text in generate(read_sources(lab)).items():
        assert text.endswith("\n"), path
        assert not text.endswith("\n\n"), path
        assert "\r" not in text, path


@every_lab
def test_exercises_have_the_signatures_and_docstrings_of_the_core(lab):
    sources = read_sources(lab)
    core, exercise = map(functions_of, (sources.core.text, generate(sources)[f"exercises/{lab.name}.py"]))
    assert list(exercise) == list(core)
    for name, stub in exercise.items():
        assert ast.dump(stub.args) == ast.dump(core[name].args)
        assert ast.get_docstring(stub) == ast.get_docstring(core[name])


@every_lab
def test_exercises_hold_helpers_whole_and_of_nothing_else_the_body(lab):
    sources = read_sources(lab)
    text = generate(sources)[f"exercises/{lab.name}.py"]
    whole = {name for name, function in sources.core.functions.items() if function.solution in text}
    assert whole == set(sources.given) == set(sources.core.functions) - set(lab.functions)


@every_lab
def test_every_stub_says_what_to_do_and_raises(lab):
    sources = read_sources(lab)
    text = generate(sources)[f"exercises/{lab.name}.py"]
    namespace = {}
    exec(text, namespace)
    for name in lab.functions:
        stub = sources.core.functions[name].stub(sources.steps[name])
        assert stub in text
        assert 1 <= stub.count("# TODO ") <= 5
        assert stub.endswith("    # YOUR CODE HERE\n    raise NotImplementedError()")
        with pytest.raises(NotImplementedError):
            namespace[name](*range(len(lab.part(name).inputs)))


@every_lab
def test_solutions_are_the_core_word_for_word_and_import_numpy_and_math_only(lab):
    sources = read_sources(lab)
    text = generate(sources)[f"solutions/{lab.name}.py"]
    assert all(function.solution in text for function in sources.core.functions.values())
    imports = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert {ast.unparse(node) for node in imports} <= {"import math", "import numpy as np"}


@pytest.mark.skipif(not shutil.which("ruff", path=Path(sys.executable).parent), reason="ruff is not installed")
@pytest.mark.parametrize("command", [["check"], ["format", "--check"]], ids=["lint", "format"])
def test_exercises_and_solutions_are_clean(command):
    ruff = shutil.which("ruff", path=Path(sys.executable).parent)
    done = subprocess.run([ruff, *command, "exercises", "solutions"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@every_lab
def test_both_languages_have_the_same_cells_but_other_words(lab):
    sources = read_sources(lab)
    english, russian = (sources.lessons[language].blocks for language in ("en", "ru"))
    assert [(block.kind, block.name) for block in english] == [(block.kind, block.name) for block in russian]
    assert all(mine.text != theirs.text for mine, theirs in zip(english, russian, strict=True) if mine.kind == "prose")


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        ("lesson.ru.md", "```{check} softmax\n```", "", r"lesson\.ru\.md, line \d+: .* \{check\} for softmax"),
        (
            "lesson.ru.md",
            "```{cell} cost\n```",
            "",
            r"lesson\.ru\.md and .*lesson\.en\.md must go through the same steps",
        ),
        ("lesson.en.md", "```{stub} sigmoid\n```", "", r"lesson\.en\.md, line \d+: sigmoid is checked before"),
        ("lesson.en.md", "{stub} softmax", "{stub} soft_max", r"lesson\.en\.md, line \d+: soft_max is no function"),
        ("lesson.en.md", "{cell} cost", "{cell} costs", r"lesson\.en\.md, line \d+: costs is no region"),
        ("lesson.en.md", "{check} gate", "{check} gates", r"lesson\.en\.md, line \d+: gates is no part"),
        ("lesson.en.md", "{check} gate", "{proof} gate", r"lesson\.en\.md, line \d+: .*is none of"),
        (
            "lesson.en.md",
            "{check} gate",
            "{check} sigmoid",
            r"line \d+: \{check\} sigmoid was used before, on line \d+",
        ),
        ("lesson.en.md", "```{check} gate\n", "```{check} gate\nprose\n", r"line \d+: a directive stands alone"),
        ("lesson.en.md", "# ", "Not a title\n# ", r"lesson\.en\.md, line 1: a lesson starts with its title"),
        ("cells.py", "# %% cost\n", "# %% more\npass\n# %% cost\n", r"cells\.py: no lesson shows more"),
        ("cells.py", "# %% cost\n", "# %% setup\n", r"cells\.py, line \d+: the region setup began before, on line \d+"),
        ("cells.py", "# %% cost\n", "# %% cost\n# %% costs\n", r"cells\.py, line \d+: the region cost is empty"),
        (
            "cells.py",
            "import math\n",
            "",
            r"cells\.py: the region setup lacks `import math`, which .*attention\.py needs",
        ),
        ("todo.toml", "softmax = [", "soft_max = [", r"todo\.toml: there are no steps for `softmax`"),
        ("todo.toml", "softmax = [", "extra = ['a']\nsoftmax = [", r"todo\.toml: lab attention asks for no `extra`"),
        ("todo.toml", "softmax = [", "softmax = [[", r"todo\.toml is no TOML"),
    ],
)
def test_sources_that_contradict_each_other_are_refused_in_a_sentence(edited, tmp_path, file, old, new, sentence):
    broken = edited(file, old, new)
    with pytest.raises(BuildError, match=sentence):
        build(tmp_path / "out", course=[broken])
    assert not (tmp_path / "out").exists()


def _heading(lab):
    text = (lab.folder / "lesson.en.md").read_text(encoding="utf-8")
    return next(line for line in text.splitlines() if line.startswith("## "))


def test_a_heading_without_an_anchor_is_refused(edited, tmp_path, lab):
    heading = _heading(lab)
    broken = edited("lesson.en.md", heading, heading.partition(" {#")[0])
    with pytest.raises(BuildError, match=r"lesson\.en\.md, line \d+: the heading .* needs an ASCII anchor"):
        build(tmp_path / "out", course=[broken])


def test_an_anchor_used_twice_is_refused(edited, tmp_path, lab):
    heading = _heading(lab)
    broken = edited("lesson.en.md", heading, f"{heading}\n\nagain\n\n{heading}")
    with pytest.raises(BuildError, match=r"lesson\.en\.md, line \d+: the anchor #.* was used before, on line \d+"):
        build(tmp_path / "out", course=[broken])


def test_a_fence_that_is_never_closed_is_refused(edited, tmp_path, lab):
    heading = _heading(lab)
    broken = edited("lesson.en.md", heading, f"```python\n{heading}")
    text = (broken.folder / "lesson.en.md").read_text(encoding="utf-8")
    (broken.folder / "lesson.en.md").write_text(text.replace("```{", "~~~{").replace("\n```\n", "\n~~~\n"))
    with pytest.raises(BuildError, match=r"lesson\.en\.md, line \d+: this fence is never closed"):
        build(tmp_path / "out", course=[broken])


def test_a_heading_inside_a_fence_is_code(edited, tmp_path, lab):
    heading = _heading(lab)
    fine = edited("lesson.en.md", heading, f"```python\n# no heading\n```\n\n{heading}")
    fine = LabElsewhere(fine.name, fine.core, fine.parts, fine.checks, at=fine.folder)
    assert "# no heading" in read_sources(fine).lessons["en"].blocks[0].text
