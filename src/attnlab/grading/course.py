"""An nbgrader course as its own configuration describes it: folders, gradebook, late penalties, and our settings."""

import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from nbgrader.coursedir import CourseDirectory
from traitlets.config import Config

from ..submission import UsageError
from .marks import SECRET_VARIABLE, carried_share
from .secret import course_secret

CONFIG = "nbgrader_config.py"
SECRET_FILE = ".secret"
MAX_DATE = 1000  # bytes of a `timestamp.txt`
RECORDS = ".attnlab"


@dataclass(frozen=True)
class Course:
    """One course. `secret` is what the cases for marks are drawn from, `share` the credit for carried-forward work."""

    root: Path
    config: Config
    directory: CourseDirectory
    secret: str
    share: float

    @property
    def db_url(self) -> str:
        """Where the gradebook is."""
        return self.directory.db_url

    @property
    def course_id(self) -> str:
        """The course's name in the gradebook."""
        return self.directory.course_id

    def folder(self, step: str, student: str, assignment: str) -> Path:
        """Return the folder of a step (``source``, ``submitted``, …), named as the course's configuration has it."""
        name = getattr(self.directory, f"{step}_directory")
        return Path(self.directory.format_path(name, student, assignment))

    def records(self, assignment: str) -> Path:
        """Return the folder of our own records, one file for each student."""
        return self.root / RECORDS / assignment

    def assignments(self) -> list[str]:
        """Return the assignments there are sources of."""
        source = self.root / self.directory.source_directory
        return sorted(p.name for p in source.iterdir() if p.is_dir()) if source.is_dir() else []

    def students(self, assignment: str) -> list[str]:
        """Return the students who handed something in, except those the configuration leaves out."""
        pattern = self.folder("submitted", "*", assignment)
        at = pattern.relative_to(self.root).parts.index("*")
        base = self.root.joinpath(*pattern.relative_to(self.root).parts[:at])
        left_out = set(self.directory.student_id_exclude.split(","))
        found = sorted(p.name for p in base.iterdir()) if base.is_dir() else []
        return [s for s in found if s not in left_out and self.folder("submitted", s, assignment).is_dir()]

    def timestamp(self, student: str, assignment: str) -> datetime | None:
        """Return when a student handed in, in UTC, as `timestamp.txt` says; None without one.

        Raises
        ------
        ValueError
            If it is no date, or no file of the length of one.
        """
        from nbgrader.utils import parse_utc

        path = self.folder("submitted", student, assignment) / "timestamp.txt"
        if not os.path.lexists(path):
            return None
        if not path.is_file():  # a pipe would be waited for
            raise ValueError(path)
        try:
            with open(path, "rb") as file:
                data = file.read(MAX_DATE + 1)
            text = data.decode().strip() if len(data) <= MAX_DATE else "too long"
            return parse_utc(text) if text else None
        except Exception as error:  # the parser of dates raises more than it says
            raise ValueError(str(error)) from None

    def late_penalty(self) -> Callable:
        """Return nbgrader's plugin: ``penalty(student, score, seconds late) -> points or None``."""
        from nbgrader.preprocessors import AssignLatePenalties

        assigning = AssignLatePenalties(config=self.config)
        assigning.init_plugin()
        return assigning.plugin_inst.late_submission_penalty


def open_course(root: Path, db_url: str | None = None) -> Course:
    """Read a course's configuration.

    Parameters
    ----------
    root : Path
    db_url : str, optional
        Another gradebook than the configured one.

    Raises
    ------
    UsageError
        If there is no such folder, it is no course, or its configuration cannot be read.
    """
    root = root.resolve()
    if not root.is_dir():
        raise UsageError("grade.no_course", path=root)
    if not (root / CONFIG).is_file() and not (root / "source").is_dir():
        raise UsageError("grade.not_a_course", path=root)
    exported = os.environ.pop(SECRET_VARIABLE, None)
    config = _config(root)
    logging.getLogger("nbgrader").setLevel(logging.ERROR)
    directory = CourseDirectory(config=config)
    if "root" not in config.CourseDirectory:
        directory.root = str(root)
    if db_url is not None:
        directory.db_url = db_url
    secret = os.environ.get(SECRET_VARIABLE) or exported or course_secret(root / SECRET_FILE)
    os.environ.pop(SECRET_VARIABLE, None)  # what is started from here has no need to know
    if exported is not None:
        os.environ[SECRET_VARIABLE] = exported
    return Course(Path(directory.root), config, directory, secret, carried_share())


def _config(root):
    from jupyter_core.paths import jupyter_config_path
    from traitlets.config.loader import ConfigFileNotFound, PyFileConfigLoader

    config = Config()
    for folder in (*reversed(jupyter_config_path()), str(root)):
        try:
            config.merge(PyFileConfigLoader(CONFIG, path=folder).load_config())
        except ConfigFileNotFound:
            continue
        except Exception as error:
            why = f"{type(error).__name__}: {error}"
            raise UsageError("grade.bad_config", path=Path(folder) / CONFIG, why=why) from None
    return config
