"""The archive that is uploaded to Gradescope: attnlab itself, how to install and start it, and the cases' secret."""

import json
from importlib import resources

from ..labs.model import Lab
from . import handouts
from .wheel import archive, requirements, wheel

PROGRAMS = ("setup.sh", "run_autograder")
SECRET, SETTINGS = "secret.txt", "settings.json"


def autograder(lab: Lab, secret: str, lang: str, share: float) -> bytes:
    """Return the zip archive.

    Parameters
    ----------
    lab : Lab
        What is graded.
    secret : str
        The hidden cases are drawn from it, as for the course it comes from.
    lang : {"en", "ru"}
        Language of the messages.
    share : float
        Share of the points for work that is right given right helpers.
    """
    name, built = wheel()
    settings = {"version": 1, "lab": lab.name, "lang": lang, "carried_share": share}
    files = {program: resources.files(handouts).joinpath(program).read_bytes() for program in PROGRAMS}
    files |= {
        name: built,
        "requirements.txt": requirements().encode(),
        SETTINGS: (json.dumps(settings, indent=1) + "\n").encode(),
        SECRET: f"{secret}\n".encode(),
    }
    return archive(files, PROGRAMS)
