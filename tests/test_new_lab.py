"""The house knows no lab by name: a lab is its mathematics module, its folder and one name in `labs.LABS`."""

import ast
import os
import re
from pathlib import Path

import pytest
from conftest import ROOT, every_lab

import attnlab
from attnlab import labs
from attnlab.student import choice, workspace

PACKAGE = Path(attnlab.__file__).parent
PICTURES = {"plots.py", "explorer.py", "web/exploring.py"}  # draw attention itself, for any lesson
DEMO = "grading/demo/"  # its students hand in a lab that somebody wrote them for
NOT_GENERIC = {"labs/__init__.py": "the list"}


def modules():
    """Return the modules of the package that belong to no lab."""
    homes = {PACKAGE / "labs" / name for name in labs.LABS} | {PACKAGE / f"{name}.py" for name in labs.LABS}
    return [path for path in sorted(PACKAGE.rglob("*.py")) if not homes & {path, *path.parents}]


def names_of_labs(source):
    """Return what names a lab in a module: a text that is a lab's name, the import of its folder or of its mathematics.

    Part of a longer text counts where it stands for a path, a module or an option; prose may speak of attention.
    """
    found, tree = set(), ast.parse(source)
    names = "|".join(labs.LABS)
    told = re.compile(rf"(?:.*[/.=])?(?:{names})(?:-ru)?(?:[/.].*)?")
    documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
            if told.fullmatch(node.value):
                found.add(node.value)
        elif isinstance(node, ast.ImportFrom):
            home = node.module or ""
            imported = (home, *(f"{home}.{a.name}" for a in node.names))
            found |= {module for module in imported if set(module.split(".")) & set(labs.LABS)}
        elif isinstance(node, ast.Import):
            found |= {a.name for a in node.names if set(a.name.split(".")) & set(labs.LABS)}
    return found


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_no_module_outside_a_lab_names_one(path):
    place = path.relative_to(PACKAGE).as_posix()
    found = names_of_labs(path.read_text(encoding="utf-8"))
    if place in NOT_GENERIC or place.startswith(DEMO):
        return
    if place in PICTURES:
        found = {name for name in found if not re.fullmatch(r"(attnlab\.)?attention(\.\w+)?", name)}
    assert found == set()


@pytest.mark.parametrize(
    "line",
    [
        'f("{0}")', "f(lab='{0}')", 'f("docs/{0}.md")', "from attnlab.labs.{0} import checks", "from .{0} import f",
        "from . import {0}", "import attnlab.{0}", 'f("{0}-ru")', 'f("--lab={0}")',
    ],
)  # fmt: skip
def test_the_search_finds_what_it_looks_for(line):
    for name in labs.LABS:
        assert names_of_labs(line.format(name))


def test_the_search_lets_prose_pass():
    assert names_of_labs('"""attention."""\nf("Scores of attention are scaled; masks, gates.")\nf(attention)') == set()


def test_pages_for_students_name_no_lab():
    for path in sorted((PACKAGE / "student").glob("*.md")) + sorted((PACKAGE / "grading/handouts").iterdir()):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            names = "|".join(labs.LABS)
            assert not re.search(rf"\b({names})\.(py|ipynb)|--lab ({names})", text), path.name


@every_lab
def test_a_lab_has_everything_that_a_lab_is_made_of(lab):
    written = {"lesson": "md", "messages": "toml", "hints": "toml", "quiz": "toml", "misconceptions": "toml"}
    wanted = [f"{kind}.{lang}.{end}" for kind, end in written.items() for lang in ("en", "ru")]
    wanted += ["quiz.toml", "todo.toml", "cells.py", "checks.py", "oracle.py", "cases.bin", "start"]
    there = {entry.name for entry in lab.folder.iterdir()}
    assert [name for name in wanted if name not in there] == []
    assert sum(lab.points(part.name) for part in lab.parts if not part.bonus) == 10
    assert len({check.id for check in lab.checks}) == len(lab.checks)
    assert all(check.id.startswith(f"{check.part}.") for check in lab.checks)
    assert all(lab.checks_of(part.name) for part in lab.parts)
    names = [part.name for part in lab.parts]
    assert all(set(part.uses) <= set(names[: names.index(part.name)]) for part in lab.parts)


@every_lab
@pytest.mark.parametrize("suffix", [".py", ".ipynb"])
@pytest.mark.parametrize("stem", ["homework", "Ivanov_Ivan (1)", "final-{}-2", "{}"])
def test_a_lab_is_told_from_a_file_s_name_or_its_functions(lab, suffix, stem, tmp_path):
    path = tmp_path / f"{stem.format(lab.name)}{suffix}"
    source = ROOT / "solutions" / f"{lab.name}.py" if suffix == ".py" else ROOT / "notebooks/ru" / f"{lab.name}.ipynb"
    path.write_bytes(source.read_bytes())
    assert choice.of_path(path) == lab.name


@every_lab
def test_a_lab_is_told_from_its_name_where_no_function_is(lab, tmp_path):
    path = tmp_path / f"my {lab.name} (2).py"
    path.write_text("def f(:")
    assert choice.of_path(path) == lab.name


@every_lab
def test_of_a_folder_of_all_labs_the_one_saved_last_is_meant(lab, tmp_path):
    workspace.start(tmp_path, [labs.get(name) for name in labs.LABS], "en")
    assert choice.of_path(tmp_path) == labs.LABS[0]
    times = iter(range(1000, 2000))
    for name in (*(name for name in labs.LABS if name != lab.name), lab.name):
        file = tmp_path / f"{name}.py"
        file.write_text(f"def begun_{name}(): return 1\n")
        os.utime(file, (next(times),) * 2)
    assert choice.of_path(tmp_path) == lab.name


def test_what_is_about_no_lab_is_not_guessed(tmp_path):
    if len(labs.LABS) > 1:
        (tmp_path / "notes.py").write_text("x = 1\n")
        assert choice.of_path(tmp_path / "notes.py") is None
        assert choice.of_path(tmp_path) is None
