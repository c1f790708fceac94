"""attnlab: attention taught through autograded NumPy exercises.

In a notebook: ``from attnlab import check; check("softmax", softmax)``.
"""

__version__ = "0.1.0"
__all__ = ["CheckFailed", "check"]


def __getattr__(name):
    if name in __all__:
        from . import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
