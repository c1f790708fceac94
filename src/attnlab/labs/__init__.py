"""The labs. A new lab is its mathematics module, its folder here and one name in this list."""

from importlib import import_module

from .model import Lab

LABS = ("attention",)


def get(name: str) -> Lab:
    """Return the lab called `name`; KeyError if there is none."""
    if name not in LABS:
        raise KeyError(name)
    return import_module(f"{__name__}.{name}").LAB
