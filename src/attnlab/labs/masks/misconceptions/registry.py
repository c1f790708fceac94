"""Where the wrong versions of this lab are recorded."""

from attnlab.labs.masks.checks import PARTS
from attnlab.labs.registry import Registry

REGISTRY = Registry("attnlab.masks", PARTS)
wrong = REGISTRY.wrong
