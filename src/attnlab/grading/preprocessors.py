"""What this project adds to nbgrader's steps; `grading/nbgrader_config.py` puts each in its place."""

import ast
import re

import nbformat
from nbgrader.preprocessors import NbGraderPreprocessor, OverwriteCells
from nbgrader.utils import is_grade, is_locked


class RepairMetadata(NbGraderPreprocessor):
    """Keep one odd notebook from stopping the class, and one tag from passing it.

    nbgrader ends the whole batch at a cell that was copied together with its id, and at a schema version it does not
    know; a check cell tagged `skip-execution` never runs and gets full marks. Of cells with one id the last keeps it,
    as in nbgrader's own DeduplicateIds, which then has nothing left to do.
    """

    def preprocess(self, nb, resources):
        """Drop tags, and the metadata of copies and of cells that nbgrader would not know how to read."""
        seen = set()
        for cell in reversed(nb.cells):
            cell.metadata.pop("tags", None)
            metadata = cell.metadata.get("nbgrader")
            if metadata is None:
                continue
            needed = {"grade_id", "grade", "solution", "locked"} | ({"points"} if is_grade(cell) else set())
            if not needed <= set(metadata) or metadata["grade_id"] in seen:
                del cell.metadata["nbgrader"]
                continue
            seen.add(metadata["grade_id"])
            metadata["schema_version"] = 3
        return nb, resources


class RestoreCells(OverwriteCells):
    """nbgrader's OverwriteCells, able to put back a check whose neighbours were deleted as well."""

    def add_missing_grade_cells(self, nb, resources):
        """Insert each missing graded cell before the next cell of the source that is left, or at the end.

        As late as that allows: the answer may have moved into a cell of the student's own.
        """
        for cell in nb.cells:
            if "grade_id" not in cell.metadata.get("nbgrader", {"grade_id": None}):  # taken away: not of this course
                del cell.metadata["nbgrader"]
        source = self.gradebook.find_notebook(self.notebook_id, self.assignment_id)
        points = {cell.name: cell.max_score for cell in source.grade_cells}
        order = [cell.name for cell in source.source_cells]
        for index, cell in enumerate(source.source_cells):
            present = [submitted.metadata.get("nbgrader", {}).get("grade_id") for submitted in nb.cells]
            if cell.name not in points or cell.name in present:
                continue
            self.log.warning("Cell %s was deleted from the submission and is put back.", cell.name)
            place = next((present.index(name) for name in order[index:] if name in present), len(nb.cells))
            nb.cells.insert(place, nbformat.from_dict(self.missing_cell_transform(cell, points[cell.name])))
        return nb, resources


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
