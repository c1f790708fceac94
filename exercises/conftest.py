"""Makes `pytest exercises` show each check as one test against the file beside this one."""

from attnlab.pytest_plugin import pytest_collect_file  # noqa: F401
