"""What this project adds to nbgrader's steps; the course's `nbgrader_config.py` puts each in its place."""

import ast
import atexit
import json
import re
from functools import cache
from pathlib import Path, PurePath

import nbformat
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from nbgrader.utils import is_grade, is_locked
from traitlets import Unicode

from .. import reading, texts
from ..sandbox import tiers
from ..sandbox.host import Host
from ..sandbox.limits import Limits
from . import autograded, beside, handed_in
from .handed_out import SourceNotebook
from .marking import Rules, mark_notebook
from .marks import carried_share, secret
from .repair import Repaired, repair
from .worker import PACKAGES, language


class Repair(NbGraderPreprocessor):
    """Put a submission in order as `attnlab grade` does: every cell of the source once, the student's own kept.

    Without it nbgrader ends the whole batch at a copied cell or a schema version it does not know, takes the points
    of a deleted check, and gives full marks to one tagged `skip-execution`.
    """

    def preprocess(self, nb, resources):
        """Return the repaired notebook, with what was done told at its top."""
        source = source_of(self, resources)
        repaired = _repaired(source, nb)
        lang = language(source.document, texts.default_language())
        told = tuple(texts.say(lang, note.message, note.facts) for note in repaired.notes)
        document = dict(repaired.document) | {"metadata": nb.metadata}
        return nbformat.from_dict(autograded.with_notes(document, told, lang)), resources


class Judge(NbGraderPreprocessor):
    """In place of Execute: judge the student's code in a confined process, and write what came of it under each check.

    What `attnlab grade` does for a class, for nbgrader's own command and formgrader's button: the same marks.
    """

    tier = Unicode("auto", help="How student code is confined: auto, bubblewrap, landlock or spawn.").tag(config=True)

    def preprocess(self, nb, resources):
        """Fill in the outputs of the checks, from which nbgrader takes the points."""
        source = source_of(self, resources)
        host = _host(self.tier)
        self.log.info("Student code runs in tier %s", host.tier.name)
        rules = Rules(secret(), carried_share(), texts.default_language())
        chunks, _ = beside.with_modules(_repaired(source, nb).chunks, _modules(source, nb, resources))
        marks = mark_notebook(source.document, chunks, rules, host, source.name)
        for cell in nb.cells:
            mark = marks.cells.get(cell.metadata.get("nbgrader", {}).get("grade_id"))
            if cell.cell_type == "code":
                cell.outputs = [nbformat.from_dict(output) for output in mark.outputs] if mark else []
                cell.execution_count = None
        return nb, resources


def source_of(step, resources) -> SourceNotebook:
    """Return the notebook of the course that a submission is held against."""
    about, node = resources["nbgrader"], step
    while node is not None and not isinstance(getattr(node, "coursedir", None), CourseDirectory):
        node = getattr(node, "parent", None)
    directory = node.coursedir if node is not None else CourseDirectory(config=step.config)
    folder = directory.format_path(directory.source_directory, ".", about["assignment"])
    found = {source.name: source for source in _sources(folder, _Config(step.config))}
    return found[about["notebook"]]


class _Config:
    """A configuration that can be a key: there is one in a process."""

    def __init__(self, config):
        self.config = config

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


@cache
def _sources(folder, config):
    return SourceNotebook.load_all(Path(folder), config.config)


@cache
def _host(tier):
    host = Host(tiers.choose(tier), Limits(), PACKAGES)
    atexit.register(host.close)
    return host


def _repaired(source, nb) -> Repaired:
    return repair(source, _cells(source, nb))


def _cells(source, nb):
    return reading.notebook(json.dumps(nb), PurePath(f"{source.name}.ipynb")).cells


def _modules(source, nb, resources):
    """Return the modules that a submission may import: files beside the notebook, and those that its cells write."""
    files, _ = handed_in.look(Path(resources["metadata"]["path"]))
    return beside.modules(files).get("", {}) | beside.written(_cells(source, nb))


class SkipDemonstrations(NbGraderPreprocessor):
    """Leave out given cells that no answer depends on: pictures and experiments take longer than all the checks."""

    def preprocess(self, nb, resources):
        """Tag each given cell that binds no name which the student's cells, or given cells they need, mention."""
        demonstrations = [cell for cell in nb.cells if self._is_demonstration(cell)]
        mentioned = set()
        for cell in nb.cells:
            if cell.cell_type == "code" and cell not in demonstrations:
                mentioned |= set(re.findall(r"\w+", cell.source))
        for cell in reversed(demonstrations):
            bound = self._bound_names(cell.source)
            if bound & mentioned:
                mentioned |= set(re.findall(r"\w+", cell.source)) - bound
            else:
                cell.metadata["tags"] = ["skip-execution"]
        return nb, resources

    def _is_demonstration(self, cell):
        grade_id = cell.metadata.nbgrader["grade_id"] if is_locked(cell) else ""
        return grade_id.startswith("given-") and grade_id != "given-setup"

    def _bound_names(self, source):
        names = set()
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                    names.add(name)
                case ast.alias(name=name, asname=alias):
                    names.add(alias or name.split(".")[0])
        return names - {"_"}


class HideHiddenTests(NbGraderPreprocessor):
    """Keep what only graders know out of the pages students get.

    nbgrader shows hidden tests in its feedback twice: in the source of a check cell, and again in the traceback of
    whatever it raised. Only the first line of an error's message is left.
    """

    HIDDEN = re.compile(r"^[^\n]*BEGIN HIDDEN TESTS.*?END HIDDEN TESTS[^\n]*\n?", re.DOTALL | re.MULTILINE)

    def preprocess_cell(self, cell, resources, index):
        """Cut the hidden region and every traceback out of a graded cell."""
        if is_grade(cell):
            cell.source = self.HIDDEN.sub("", cell.source)
            for output in cell.get("outputs", []):
                if output.output_type == "error":
                    message = output.evalue.partition("\n")[0]  # of a failed check the card above says the rest
                    output.traceback = [f"{output.ename}: {message}".rstrip(": ")]
        return cell, resources
