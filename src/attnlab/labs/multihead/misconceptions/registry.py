"""Where the wrong versions of this lab are recorded."""

from attnlab.labs.multihead.checks import PARTS
from attnlab.labs.registry import Registry

REGISTRY = Registry("attnlab.multihead", PARTS)
wrong = REGISTRY.wrong
