"""A class: the nbgrader course, what its graded cells call, and the demo."""
