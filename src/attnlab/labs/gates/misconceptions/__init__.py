"""Wrong versions of the functions of lab ``gates``, one module for each topic and in the order they are taught.

Each is written once and serves twice: the test suite proves that the checks reject it, and when a student's function
has failed, it is what the student's behaviour is compared with.
"""

from importlib import import_module

from attnlab.labs.gates.misconceptions.registry import REGISTRY
from attnlab.labs.registry import Misconception

MODULES = ("activations", "gate_values", "places", "assembly", "errors", "measures")

for _module in MODULES:
    import_module(f"{__name__}.{_module}")

MISCONCEPTIONS: tuple[Misconception, ...] = tuple(REGISTRY.recorded)
submission_source = REGISTRY.submission_source
