"""All the code in a student's process: standard library and NumPy only, so one look shows that no answer is here.

=============  ========================================================================
`wire`         plain data to bytes and back
`calling`      calling a function on a case, describing what came of it
`loading`      the student's source, statement by statement
`standins`     right functions in place of the student's, answered by the grader
`serving`      the loop: load, run, and what the system must limit
``__main__``   how the process starts
=============  ========================================================================

The grader imports the package as any other; the student's process loads the same files as a program of their own.
"""

from .calling import LABELS, describe_error, quiet, run_case
from .loading import survey
from .standins import stand_ins
from .wire import DTYPES, MAX_FRAME, MAX_ITEMS, Packed, frame, pack, read_frame, unpack

__all__ = [
    "DTYPES", "LABELS", "MAX_FRAME", "MAX_ITEMS", "Packed", "describe_error", "frame", "pack", "quiet", "read_frame",
    "run_case", "stand_ins", "survey", "unpack",
]  # fmt: skip
