"""Start a program, a Jupyter kernel for one, confined as student code is: confine this process, then become it."""

import os
import sys

from . import confine
from .serving import limit


def main(settings):
    """Become ``argv``.

    Parameters
    ----------
    settings : dict
        ``argv``; ``rlimits``; ``policy``: as for the zygote; ``calls``: whether to filter system calls.
    """
    if settings["calls"]:
        confine.no_new_privileges()
        confine.drop_capabilities()
        if settings["policy"] is not None:
            confine.fence(settings["policy"])
    limit(settings["rlimits"])
    if settings["calls"]:
        confine.filter_calls(os.getpid(), serving=True)
    sys.stdout.flush()
    os.execv(settings["argv"][0], settings["argv"])
