"""Targets: the student's functions, called in another process or, from a notebook, in this one."""
