"""The folders that submissions may write to: one for each, below one for each host."""

import os
import secrets
import tempfile
import threading
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
        self._taken, self._busy = set(), threading.Lock()
        self._lock = None
        if fcntl is not None:
            self._lock = os.open(self.name, os.O_RDONLY)
            fcntl.flock(self._lock, fcntl.LOCK_SH)

    def new(self) -> str:
        """Make a submission's folder, whose name nobody can foresee."""
        with self._busy:
            folder = tempfile.mkdtemp(dir=self.name)
            self._taken.add(folder)
        return folder

    def empty(self, folder: str) -> None:
        """Remove a submission's folder, wherever it is by now, and whatever stands beside those in use."""
        with self._busy, suppress(OSError):
            self._taken.discard(folder)
            for entry in os.scandir(self.name):
                if entry.path not in self._taken:
                    _remove(entry)

    def close(self) -> None:
        """Remove it and all that is in it."""
        _clear(self.name)
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
        _clear(entry.path)
    finally:
        os.close(fd)


def _remove(entry):
    if entry.is_dir(follow_symlinks=False):
        _clear(entry.path)
    else:
        with suppress(OSError):
            os.unlink(entry.path)


def _clear(root):
    """Remove a folder with all in it, however deep: level by level, so that no path gets longer than any may be."""
    mark, moved = secrets.token_hex(8), 0
    with suppress(OSError):
        while found := list(os.scandir(root)):
            for entry in found:
                if not entry.is_dir(follow_symlinks=False):
                    os.unlink(entry.path)
                    continue
                for inner in list(os.scandir(entry.path)):
                    if inner.is_dir(follow_symlinks=False):
                        os.rename(inner.path, os.path.join(root, f"{mark}-{moved}"))
                        moved += 1
                    else:
                        os.unlink(inner.path)
                os.rmdir(entry.path)
        os.rmdir(root)


def excess(folder: str, limits) -> bool:
    """Say whether there is more in a folder than a submission may write, or it is not where it was."""
    size = number = 0
    folders = [folder]
    while folders:
        try:
            entries = os.scandir(folders.pop())
        except OSError:
            if number == 0:
                return True
            continue  # removed meanwhile
        with entries:
            for entry in entries:
                number += 1
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    found = entry.stat(follow_symlinks=False)
                    size += getattr(found, "st_blocks", 0) * 512 or found.st_size
                if number > limits.scratch_files or size > limits.scratch:
                    return True
    return False
