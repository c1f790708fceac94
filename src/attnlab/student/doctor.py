"""`attnlab doctor`: does everything that the course needs work on this machine?"""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from .. import texts
from ..emit.terminal import STYLES, sign
from ..files import write_whole

PYTHON, NUMPY, NBGRADER = (3, 11), (2,), (0, 9, 6)
SHOWN = "√∞✓я"  # what messages are made of


@dataclass(frozen=True)
class Finding:
    """One thing looked at: right, wrong, or (None) absent and needed by some only. Holds messages and their facts."""

    ok: bool | None
    message: str
    facts: dict = field(default_factory=dict)
    advice: str | None = None


def examine(folder: Path, encoding: str) -> Iterator[Finding]:
    """Yield what was found, one thing after another: some take a moment.

    Parameters
    ----------
    folder : Path
        Where the student works.
    encoding : str
        Of the terminal.
    """
    yield python(sys.version_info[:3])
    yield numpy()
    yield process()
    yield terminal(encoding)
    yield access(folder)
    yield kernel()
    yield nbgrader()


def python(version: tuple[int, ...]) -> Finding:
    """Is Python new enough?"""
    return _finding(tuple(version) >= PYTHON, "doctor.python", "doctor.python_old", version=_dotted(version))


def numpy() -> Finding:
    """Is NumPy there, and new enough?"""
    try:
        import numpy
    except Exception as error:  # a broken build raises what it likes
        return Finding(False, "doctor.numpy_broken", {"why": str(error).partition("\n")[0]}, "doctor.numpy_old")
    ok = _numbers(numpy.__version__) >= NUMPY
    return _finding(ok, "doctor.numpy", "doctor.numpy_old", version=numpy.__version__)


def process(start: Callable | None = None) -> Finding:
    """Can a process for student code be started, and does it answer?"""
    if start is None:
        from ..sandbox.process import ProcessTarget as start
    target = None
    try:
        target = start((("probe.py", "def answer():\n    return 42\n"),), ("answer",))
        ok, why = target.survey().functions.get("answer") not in (None, "missing"), ""
    except Exception as error:
        ok, why = False, str(error)
    finally:
        if target is not None:
            with suppress(OSError):
                target.close()
    if ok:
        return Finding(True, "doctor.process")
    return Finding(False, "doctor.no_process", {"why": why or "?"}, "doctor.process_help")


def terminal(encoding: str) -> Finding:
    """Can the terminal show the signs that messages hold?"""
    try:
        SHOWN.encode(encoding)
        ok = True
    except (UnicodeError, LookupError):
        ok = False
    return _finding(ok, "doctor.terminal", "doctor.terminal_help", encoding=encoding)


def access(folder: Path) -> Finding:
    """Can files be written in the folder?"""
    probe = folder / ".attnlab-doctor"
    try:
        write_whole(probe, b"")
        probe.unlink()
        ok = True
    except OSError:
        ok = False
    shown = str(folder.resolve())
    return Finding(ok, "doctor.access" if ok else "doctor.no_access", {"folder": shown}, "doctor.access_help")


def kernel() -> Finding:
    """Is there a Jupyter kernel for Python?"""
    try:
        from jupyter_client.kernelspec import KernelSpecManager
    except ImportError:
        return Finding(None, "doctor.no_jupyter")
    found = sorted(KernelSpecManager().find_kernel_specs())
    if any(name.startswith("python") for name in found):
        return Finding(True, "doctor.kernel", {"names": ", ".join(found)})
    return Finding(False, "doctor.no_kernel", {}, "doctor.kernel_help")


def nbgrader() -> Finding:
    """Is nbgrader, which only instructors need, new enough?"""
    try:
        version = metadata.version("nbgrader")
    except metadata.PackageNotFoundError:
        return Finding(None, "doctor.no_nbgrader")
    return _finding(_numbers(version) >= NBGRADER, "doctor.nbgrader", "doctor.nbgrader_old", version=version)


def show(found: Finding, lang: str, console: Console) -> None:
    """Print one line for a finding, and below it what to do where something is wrong."""
    outcome = {True: "passed", False: "failed", None: "todo"}[found.ok]
    mark, style = sign(outcome, console), STYLES.get(outcome, "red")
    console.print(Text.assemble((f" {mark} ", style), texts.say(lang, found.message, found.facts)), soft_wrap=True)
    if not found.ok and found.advice is not None:
        console.print(Padding(Text(texts.say(lang, found.advice)), (0, 0, 0, 3), expand=False))


def _finding(ok, message, advice, **facts):
    return Finding(ok, message, facts, advice)


def _numbers(version):
    return tuple(int(n) for n in re.match(r"[\d.]*", version)[0].split(".") if n)


def _dotted(version):
    return ".".join(map(str, version))
