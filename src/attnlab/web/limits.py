"""How long things may take on the page: seconds of wall time, all but ``part`` counted by the page itself."""

LIMITS = {"load": 20, "case": 4, "after_timeout": 2, "part": 60, "part_after_timeout": 20, "total": 240, "run": 120}
"""As in `sandbox.limits`, twice as much: Python in a browser is about half as fast, and only wall time is known there.

``after_timeout`` holds for every case once one has timed out; ``run`` for Run, where the reader sees what happens and
has a Stop button: the longest cell of a lesson trains two small models.
"""
