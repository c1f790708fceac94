"""The files that let GitHub check students' work: a workflow, the attnlab it installs, a note for the instructor."""

from importlib import resources

from ..labs.model import Lab
from . import handouts
from .wheel import wheel

WORKFLOW, NOTE = ".github/workflows/classroom.yml", "CLASSROOM.md"


def template(lab: Lab, lang: str) -> dict[str, bytes]:
    """Return the files by name, as they stand in the template repository of an assignment."""
    name, built = wheel()
    words = {"@@lab@@": lab.name, "@@lang@@": lang, "@@wheel@@": name}

    def filled(handout):
        text = resources.files(handouts).joinpath(handout).read_text(encoding="utf-8")
        for word, value in words.items():
            text = text.replace(word, value)
        return text.encode()

    return {WORKFLOW: filled("classroom.yml"), f".github/{name}": built, NOTE: filled(f"classroom.{lang}.md")}
