"""The ways in which the same work arrives: right answers in every kind of packaging that students have come up with.

``PACKAGINGS`` lists them, each a name and a builder: ``packaging.build(work, folder)`` writes into a submission's
folder. `Work` is a student's solution filled into the released notebook.
"""

from arrivals.packaging import Packaging, Work, released_notebook, work_of

# importing them registers their packagings
from arrivals import archives, cells, encodings, files, metadata, source  # isort: skip

PACKAGINGS: tuple[Packaging, ...] = tuple(
    p for module in (cells, metadata, source, encodings, files, archives) for p in module.PACKAGINGS
)

__all__ = ("PACKAGINGS", "Packaging", "Work", "released_notebook", "work_of")
