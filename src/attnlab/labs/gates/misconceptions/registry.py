"""Where the wrong versions of this lab are recorded."""

from attnlab.labs.gates.checks import PARTS
from attnlab.labs.registry import Registry

REGISTRY = Registry("attnlab.gates", PARTS)
wrong = REGISTRY.wrong
