"""The labs. A new lab is its mathematics module, its folder here and one name in this list."""

from importlib import import_module

from .model import Lab

LABS = ("attention", "scaling", "masks", "multihead", "gates")


def get(name: str) -> Lab:
    """Return the lab called `name`; KeyError if there is none."""
    if name not in LABS:
        raise KeyError(name)
    return import_module(f"{__name__}.{name}").LAB


def home(part: str) -> str | None:
    """Return the name of the lab that a part belongs to: the first one taught, where several have one of this name."""
    return next((name for name in LABS if any(part == p.name for p in get(name).parts)), None)
