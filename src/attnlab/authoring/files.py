"""`attnlab build`: write what is generated, or say what has drifted."""

from collections.abc import Iterable
from importlib import resources
from pathlib import Path

from attnlab import labs
from attnlab.authoring.notebooks import notebook_text, source_notebook, student_notebook
from attnlab.authoring.scripts import exercise_text, solution_text
from attnlab.authoring.sources import LANGUAGES, Sources, read_sources
from attnlab.checking import cases
from attnlab.grading import handouts
from attnlab.labs.model import Lab

STARTS = tuple(f"src/attnlab/labs/{lab}/start" for lab in labs.LABS)
FOLDERS = ("exercises", "solutions", "notebooks", "grading/source", *STARTS)
HAND_WRITTEN = {"exercises/conftest.py"}


def generate(sources: Sources) -> dict[str, str]:
    """Return ``{path relative to the repository: text}`` of everything generated for one lab."""
    name = sources.lab.name
    files = {
        f"exercises/{name}.py": exercise_text(sources),
        f"solutions/{name}.py": solution_text(sources),
        f"{_start(name)}/{name}.py": exercise_text(sources).replace(f"exercises/{name}.py", f"{name}.py"),
    }
    for language in LANGUAGES:
        files[f"notebooks/{language}/{name}.ipynb"] = notebook_text(student_notebook(sources, language))
        files[f"{_start(name)}/{language}.ipynb"] = files[f"notebooks/{language}/{name}.ipynb"]
        assignment = assignment_name(name, language)
        notebook = notebook_text(source_notebook(sources, language))
        files[f"grading/source/{assignment}/{assignment}.ipynb"] = notebook
    return files


def _start(lab: str) -> str:
    """Return the folder of what `attnlab start` hands out: it has to be inside the installed package."""
    return f"src/attnlab/labs/{lab}/start"


def assignment_name(lab: str, language: str) -> str:
    """Return the nbgrader assignment of a lab in one language: the bare name is the English one."""
    return lab if language == "en" else f"{lab}-{language}"


def build(root: Path, check: bool = False, course: Iterable[Lab] | None = None) -> list[str]:
    """Generate every lab's files below `root`.

    Parameters
    ----------
    root : Path
        The repository.
    check : bool
        Write nothing, only look.
    course : iterable of Lab, optional
        The labs; all there are unless given.

    Returns
    -------
    paths : list of str
        With `check`, the files that differ from what would be generated, are missing, or stand in a generated folder
        without being generated; otherwise the files written. Relative to `root`, sorted.

    Raises
    ------
    BuildError
        When the sources contradict each other; nothing is written then.
    """
    wanted = {}
    if course is None:
        course = map(labs.get, labs.LABS)
        wanted["grading/nbgrader_config.py"] = resources.files(handouts).joinpath("nbgrader_config.py").read_bytes()
    course = tuple(course)
    wanted |= {path: text.encode() for lab in course for path, text in generate(read_sources(lab)).items()}
    drifted = {path for path, content in wanted.items() if _content(root / path) != content}
    for lab in course:
        path = f"src/attnlab/labs/{lab.name}/{cases.CASES_FILE}"
        if (root / path).parent.is_dir() and not cases.is_current(lab):
            drifted.add(path)  # judged by the fingerprint of its sources: libm differs in the last bit between systems
            wanted[path] = b"" if check else cases.visible_file(lab)
    if check:
        return sorted(drifted | _strays(root, set(wanted)))
    for path in drifted:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(wanted[path])
    return sorted(drifted)


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _strays(root: Path, wanted: set[str]) -> set[str]:
    """Find files in generated folders that nothing generates; caches and hidden files are nobody's business."""
    found = set()
    for folder in FOLDERS:
        for path in (root / folder).rglob("*"):
            relative = path.relative_to(root)
            if path.is_file() and not any(part.startswith((".", "__")) for part in relative.parts):
                found.add(relative.as_posix())
    return found - wanted - HAND_WRITTEN
