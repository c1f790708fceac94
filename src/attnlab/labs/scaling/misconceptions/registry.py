"""Where the wrong versions of this lab are recorded."""

from attnlab.labs.registry import Registry
from attnlab.labs.scaling.checks import PARTS

REGISTRY = Registry("attnlab.scaling", PARTS)
wrong = REGISTRY.wrong
