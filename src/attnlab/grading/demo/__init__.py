"""`make demo`: a class hands in its notebooks, stock nbgrader grades them, a table says what came of it.

Run it from the root of the repository: ``python -m attnlab.grading.demo``. Needs the extra ``grading``.
"""
