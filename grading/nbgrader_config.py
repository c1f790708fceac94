"""nbgrader's configuration of this course. Generated from src/attnlab/grading/handouts/nbgrader_config.py.

Run nbgrader inside this folder: ``nbgrader generate_assignment attention``, ``nbgrader autograde attention``, …
"""

import os
from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    Execute,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteKernelspec,
    SaveAutoGrades,
)

from attnlab.grading.preprocessors import HideHiddenTests, RepairMetadata, RestoreCells, SkipDemonstrations
from attnlab.grading.secret import course_secret

c = get_config()  # noqa: F821  (nbgrader puts it here)
ROOT = Path(__file__).resolve().parent

c.CourseDirectory.course_id = "attnlab"
c.CourseDirectory.root = str(ROOT)

# The kernels that run submissions inherit it; attnlab.grading.cells draws its cases from it.
os.environ["ATTNLAB_SECRET"] = course_secret(ROOT / ".secret")
# Share of the points for work that is right but for a wrong function it uses (softmax in attention); "0" for none.
os.environ.setdefault("ATTNLAB_CARRIED_SHARE", "0.5")
os.environ.setdefault("ATTNLAB_LANG", "en")  # of cards in English notebooks, whatever the grader's locale

c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    RepairMetadata,
    DeduplicateIds,
    OverwriteKernelspec,
    RestoreCells,
    CheckCellMetadata,
]
c.Autograde.autograde_preprocessors = [
    SkipDemonstrations,
    Execute,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.OverwriteCells.add_missing_cells = True
c.OverwriteCells.missing_cell_notification = "The check {cell_id} was missing from the submission and was put back.\n"
c.GenerateFeedback.preprocessors = [HideHiddenTests, GetGrades, CSSHTMLHeaderPreprocessor]

# A cell that never ends costs its own points; the rest of the notebook is still run.
c.Execute.timeout = 60
c.Execute.interrupt_on_timeout = True
c.Execute.shutdown_kernel = "immediate"  # waiting for a kernel's farewell takes as long as all the checks
