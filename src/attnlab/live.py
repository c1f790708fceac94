"""Is somebody looking? Widgets need a live page; a program that runs a notebook gets text and pictures instead."""

import re
import sys

FROM_PYTHON = re.compile(r"_\d+_\d+")  # how jupyter_client ends the ids of its messages: process and number


def is_live() -> bool:
    """Say whether the cell at work was sent by a page that can show widgets.

    JupyterLab, VS Code and Colab are such pages. nbconvert, nbgrader, papermill and a console in a terminal send their
    messages through Python's `jupyter_client`, which is how they are told apart; nobody could press a button there, and
    what widgets leave in a saved notebook is of no use to a reader.
    """
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None or not hasattr(shell, "kernel"):
        return False
    header = getattr(shell, "parent_header", None) or {}
    header = header.get("header", header)
    return FROM_PYTHON.search(str(header.get("msg_id", ""))) is None
