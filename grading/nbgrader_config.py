"""nbgrader's configuration of this course. Generated from src/attnlab/grading/handouts/nbgrader_config.py.

Run nbgrader inside this folder: ``nbgrader generate_assignment NAME``, ``nbgrader autograde NAME``, …
"""

import os
from pathlib import Path

from nbconvert.preprocessors import ClearMetadataPreprocessor, CSSHTMLHeaderPreprocessor
from nbgrader.preprocessors import (
    AssignLatePenalties,
    CheckCellMetadata,
    ClearOutput,
    DeduplicateIds,
    GetGrades,
    IgnorePattern,
    LimitOutput,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)

from attnlab.grading.preprocessors import HideHiddenTests, Judge, Repair
from attnlab.grading.secret import course_secret

c = get_config()  # noqa: F821  (nbgrader puts it here)
ROOT = Path(__file__).resolve().parent

c.CourseDirectory.course_id = "attnlab"
c.CourseDirectory.root = str(ROOT)

# The hidden cases are drawn from it; kernels inherit it, should there be any.
os.environ["ATTNLAB_SECRET"] = course_secret(ROOT / ".secret")
# Share of the points for work that is right but for a wrong function it uses (softmax in attention); "0" for none.
os.environ.setdefault("ATTNLAB_CARRIED_SHARE", "0.5")
os.environ.setdefault("ATTNLAB_LANG", "en")  # of cards in English notebooks, whatever the grader's locale

c.Autograde.sanitize_preprocessors = [
    ClearOutput,
    Repair,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
    CheckCellMetadata,
]
# Judge stands in place of nbgrader's Execute: student code runs in a confined process of its own, away from the tests,
# and `nbgrader autograde`, formgrader's button and `attnlab grade` give the same marks. To run notebooks in a Jupyter
# kernel instead, as nbgrader does by itself, put SkipDemonstrations (also in attnlab.grading.preprocessors) and
# nbgrader's Execute in its place; `attnlab kernel install` makes a kernel that is confined as well.
c.Autograde.autograde_preprocessors = [
    Judge,
    IgnorePattern,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]
c.GenerateFeedback.preprocessors = [HideHiddenTests, GetGrades, CSSHTMLHeaderPreprocessor]

# Should Execute be used: a cell that never ends costs its own points; the rest of the notebook is still run.
c.Execute.timeout = 60
c.Execute.interrupt_on_timeout = True
c.Execute.shutdown_kernel = "immediate"  # waiting for a kernel's farewell takes as long as all the checks
