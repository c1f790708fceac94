"""`attnlab course DIR`: an nbgrader course of all labs, in both languages."""

from importlib import resources
from pathlib import Path

from .. import labs, texts
from ..authoring.files import assignment_name
from ..authoring.notebooks import notebook_text, source_notebook
from ..authoring.sources import LANGUAGES, read_sources
from ..files import write_whole
from ..submission import UsageError
from . import handouts
from .course import CONFIG, open_course
from .registration import register


def make(folder: Path, lang: str) -> list[str]:
    """Write configuration and sources, draw the course's secret, enter the assignments into the gradebook.

    What is already there stays as it is.

    Returns
    -------
    lines : list of str
        What was made and what comes next, one sentence each.

    Raises
    ------
    UsageError
        If something else is in the way, or the folder cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError("grade.no_course", path=folder)
    if folder.is_dir() and any(folder.iterdir()) and not (folder / CONFIG).is_file():
        raise UsageError("course.not_empty", path=folder)
    files = {CONFIG: resources.files(handouts).joinpath(CONFIG).read_text(encoding="utf-8")}
    for name in labs.LABS:
        sources = read_sources(labs.get(name))
        for language in LANGUAGES:
            assignment = assignment_name(name, language)
            text = notebook_text(source_notebook(sources, language))
            files[f"source/{assignment}/{assignment}.ipynb"] = text
    try:
        for path, text in files.items():
            if not (folder / path).exists():
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                write_whole(folder / path, text)
    except OSError as error:
        raise UsageError("read.denied", path=folder, why=error.strerror or type(error).__name__) from None
    course = open_course(folder)
    for assignment in course.assignments():
        register(course, assignment)
    names = ", ".join(course.assignments())
    return [
        texts.say(lang, "course.made", {"path": folder, "names": names}),
        texts.say(lang, "course.next", {"path": folder, "assignment": course.assignments()[0]}),
    ]
