"""The steps of the demo: the course, the class, nbgrader, the table."""

import os
import shutil
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from attnlab import labs
from attnlab.grading.demo.classroom import classroom, hand_in
from attnlab.grading.demo.results import Result, max_points, read_results

MARKER = ".attnlab-demo"  # only a folder that holds it is ever deleted


class DemoError(Exception):
    """A step that must succeed did not; the message is a sentence."""


@dataclass(frozen=True)
class Demo:
    """Where the demo runs, and how it says what it does."""

    root: Path
    folder: Path
    console: Console
    assignments: tuple[str, ...] = labs.LABS[:2]

    @property
    def course(self) -> Path:
        """The nbgrader course: a copy, so that the committed one stays as it is."""
        return self.folder / "course"

    @property
    def grades(self) -> Path:
        """The CSV file of grades."""
        return self.folder / "grades.csv"

    @property
    def feedback(self) -> Path:
        """The folder of the pages students get."""
        return self.course / "feedback"


@dataclass(frozen=True)
class Outcome:
    """What the class got for an assignment: points to be had by part, results, and what each student handed in."""

    assignment: str
    max_points: dict[str, float]
    results: list[Result]
    about: dict[str, str]


def run_demo(demo: Demo) -> tuple[Outcome, ...]:
    """Build a course, let a class hand in its notebooks and have nbgrader grade them, assignment by assignment.

    Raises
    ------
    DemoError
        When a step fails that does not depend on what students hand in.
    """
    about = {name: {student.id: student.about for student in classroom(name)} for name in demo.assignments}
    with _step(demo, "clean folder, course copied"):
        _start_clean(demo)
    with _step(demo, "generated files are in step (attnlab build --check)"):
        attnlab = [sys.executable, "-c", "from attnlab.cli import main; main()"]
        _run(demo, "build", [*attnlab, "build", "--check"], cwd=demo.root)
    for name in demo.assignments:
        with _step(demo, f"{name}: release made (nbgrader generate_assignment)"):
            _nbgrader(demo, name, "generate_assignment", name, "--force")
        with _step(demo, f"{name}: {len(about[name])} notebooks handed in"):
            _lay_out_submissions(demo, name)
        with _step(demo, f"{name}: autograded (nbgrader autograde)"):
            # Exit code 1 says that some notebook could not be graded, which is part of the demo; the table tells which.
            _nbgrader(demo, name, "autograde", name, may_fail=True)
        with _step(demo, f"{name}: feedback written (nbgrader generate_feedback)"):
            _nbgrader(demo, name, "generate_feedback", name)
    with _step(demo, "grades exported (nbgrader export)"):
        _nbgrader(demo, "all", "export", "--to", str(demo.grades))
    return tuple(
        Outcome(name, max_points(demo.course, name), read_results(demo.course, name, list(about[name])), about[name])
        for name in demo.assignments
    )


def _start_clean(demo: Demo) -> None:
    if not (demo.root / "grading" / "nbgrader_config.py").is_file():
        raise DemoError(f"{demo.root} holds no course: run the demo from the root of the repository.")
    if demo.folder.exists():
        if not (demo.folder / MARKER).exists():
            raise DemoError(f"{demo.folder} was not made by the demo, so it is left alone. Name another folder.")
        shutil.rmtree(demo.folder, onerror=_delete_read_only)
    (demo.folder / "logs").mkdir(parents=True)
    (demo.folder / MARKER).touch()
    demo.course.mkdir()
    shutil.copy(demo.root / "grading" / "nbgrader_config.py", demo.course)
    for name in demo.assignments:
        shutil.copytree(demo.root / "grading" / "source" / name, demo.course / "source" / name)


def _delete_read_only(remove: Callable, path: str, _) -> None:
    os.chmod(path, stat.S_IWRITE)  # graded notebooks are read-only, which Windows does not delete
    remove(path)


def _lay_out_submissions(demo: Demo, assignment: str) -> None:
    notebook = f"{assignment}.ipynb"
    release = (demo.course / "release" / assignment / notebook).read_text(encoding="utf-8")
    for student in classroom(assignment):
        folder = demo.course / "submitted" / student.id / assignment
        folder.mkdir(parents=True)
        (folder / notebook).write_text(hand_in(student, release), encoding="utf-8")


@contextmanager
def _step(demo: Demo, done: str) -> Iterator[None]:
    started = time.perf_counter()
    with demo.console.status(f"{done} …"):
        yield
    demo.console.print(f"[green]✓[/green] {done} [dim]{time.perf_counter() - started:.1f} s[/dim]", highlight=False)


def _nbgrader(demo: Demo, assignment: str, command: str, *arguments: str, may_fail: bool = False) -> None:
    log, words = f"{command}-{assignment}", [sys.executable, "-m", "nbgrader", command, *arguments]
    _run(demo, log, words, cwd=demo.course, may_fail=may_fail)


def _run(demo: Demo, name: str, command: list[str], cwd: Path, may_fail: bool = False) -> None:
    log = demo.folder / "logs" / f"{name}.log"
    with log.open("w", encoding="utf-8") as output:
        done = subprocess.run(
            command,
            cwd=cwd,
            env=nbgrader_environment(demo.folder),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
    if done.returncode and not may_fail:
        tail = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])
        raise DemoError(f"The step {name} failed with exit code {done.returncode}. The end of {log}:\n{tail}")


def nbgrader_environment(folder: Path) -> dict[str, str]:
    """Return an environment in which only this installation, and configuration below `folder`, count."""
    programs = Path(sys.executable).parent  # nbgrader calls `alembic` by name, also when no environment is activated
    return os.environ | {
        "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}",
        "JUPYTER_PREFER_ENV_PATH": "1",
        "JUPYTER_CONFIG_DIR": str(folder / "jupyter" / "config"),
        "JUPYTER_DATA_DIR": str(folder / "jupyter" / "data"),
        "IPYTHONDIR": str(folder / "jupyter" / "ipython"),
        "ATTNLAB_LANG": "en",
        "PYTHONUTF8": "1",
    }
