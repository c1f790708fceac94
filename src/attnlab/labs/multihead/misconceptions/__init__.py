"""Wrong versions of the functions of lab ``multihead``, one module for each part and in the order they are taught.

Each is written once and serves twice: the test suite proves that the checks reject it, and when a student's function
has failed, it is what the student's behaviour is compared with.
"""

from importlib import import_module

from attnlab.labs.multihead.misconceptions.registry import REGISTRY
from attnlab.labs.registry import Misconception

MODULES = (
    "split",
    "merge",
    "multi_head_scores",
    "multi_head_wiring",
    "multi_head_masks",
    "repeat",
    "grouped_sharing",
    "grouped",
    "cache",
)

for _module in MODULES:
    import_module(f"{__name__}.{_module}")

MISCONCEPTIONS: tuple[Misconception, ...] = tuple(REGISTRY.recorded)
submission_source = REGISTRY.submission_source
