"""Where the wrong versions of this lab are recorded."""

from attnlab.labs.attention.checks import PARTS
from attnlab.labs.registry import Registry

REGISTRY = Registry("attnlab.attention", PARTS)
wrong = REGISTRY.wrong
