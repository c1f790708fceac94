"""The folders that submissions may write to: one for each, flat, below one for each host."""

import os
import tempfile
import time
from contextlib import suppress

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

PREFIX = "attnlab-scratch-"
YOUNG = 60.0  # seconds in which a folder may not have been locked yet


class Scratch:
    """A host's folder. It is locked while its host lives, so that what a killed one has left is known, and removed."""

    def __init__(self):
        sweep()
        self.name = tempfile.mkdtemp(prefix=PREFIX)
        self._lock = None
        if fcntl is not None:
            self._lock = os.open(self.name, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_SH)

    def new(self, number: int) -> str:
        """Make a submission's folder."""
        folder = os.path.join(self.name, str(number))
        os.mkdir(folder, 0o700)
        return folder

    def close(self) -> None:
        """Remove it and all that is in it."""
        _remove(self.name)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


def sweep() -> None:
    """Remove the folders of hosts that are gone."""
    if fcntl is None:
        return
    with suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                with suppress(OSError):
                    _sweep_one(entry)


def _sweep_one(entry):
    about = entry.stat(follow_symlinks=False)
    if about.st_uid != os.getuid() or time.time() - about.st_mtime < YOUNG:
        return
    fd = os.open(entry.path, os.O_RDONLY | os.O_NOFOLLOW)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)  # refused while its host lives
        _remove(entry.path)
    finally:
        os.close(fd)


def _remove(name):
    with suppress(OSError):
        for entry in os.scandir(name):
            empty(entry.path)
        os.rmdir(name)


def empty(folder: str) -> None:
    """Remove a submission's folder."""
    with suppress(OSError):
        for entry in os.scandir(folder):
            with suppress(OSError):
                os.unlink(entry.path)
        os.rmdir(folder)


def excess(folder: str, limits) -> bool:
    """Say whether there is more in a folder than a submission may write. It holds no folders."""
    size = number = 0
    with suppress(OSError):
        for entry in os.scandir(folder):
            number += 1
            with suppress(OSError):
                found = entry.stat(follow_symlinks=False)
                size += getattr(found, "st_blocks", 0) * 512 or found.st_size
            if number > limits.scratch_files or size > limits.scratch:
                return True
    return False
