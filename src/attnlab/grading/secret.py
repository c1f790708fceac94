"""The secret of a course, from which the cases for marks are drawn."""

import os
import secrets
from pathlib import Path


def course_secret(path: Path) -> str:
    """Return the seed of the hidden cases: drawn at first use, then the same for the whole class."""
    try:
        with open(path, "x", encoding="ascii", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(secrets.token_hex(16))
    except FileExistsError:
        pass
    return path.read_text(encoding="ascii").strip()
