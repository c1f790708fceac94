"""attnlab: attention taught through autograded NumPy exercises.

In a notebook: ``from attnlab import check; check("softmax", softmax)``.
"""

from importlib import import_module

__version__ = "0.1.0"
__all__ = ["CheckFailed", "check", "explore", "quiz"]
HOMES = {"explore": "explorer", "quiz": "student.quiz"}  # where each name lives; imported when first asked for


def __getattr__(name):
    if name in __all__:
        return getattr(import_module(f".{HOMES.get(name, 'notebook')}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
