"""Our own record of each student: what was graded, from which files, and what came of it. Reports are made from it."""

import hashlib
import json
import os
from pathlib import Path

from .. import files

VERSION = 1
BLOCK = 1 << 20
MAX_READ = 128 << 20  # bytes of a hand-in that are read to see whether it has changed
MAX_WHOLE = 64 << 20  # bytes of a file read from end to end


def digest(folder: Path, salt: str) -> str:
    """Return a digest of everything in a submission folder, and of what marks depend on besides.

    Of a file too large to be read for this, its size, the time of its last change, its beginning and its end count.

    Parameters
    ----------
    folder : Path
    salt : str
        Of the course: its notebooks, its secret, its settings, our version.
    """
    found, left = hashlib.sha256(salt.encode()), MAX_READ
    for root, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(root, name)
            found.update(os.path.relpath(path, folder).encode("utf-8", "surrogateescape") + b"\0")
            try:
                if os.path.islink(path):
                    found.update(b"link " + os.readlink(path).encode("utf-8", "surrogateescape"))
                elif os.path.isfile(path):  # a pipe or a device is only a name
                    with open(path, "rb") as file:
                        left -= _take_in(found, file, left)
            except OSError as error:
                found.update(f"unreadable {error.errno}".encode())
    return found.hexdigest()


def _take_in(found, file, left):
    """Add a file to a digest; return how many bytes were read of the `left` that may be."""
    status, read = os.fstat(file.fileno()), 0
    if status.st_size <= min(left, MAX_WHOLE):
        while read <= left and (block := file.read(BLOCK)):
            found.update(block)
            read += len(block)
        return read
    found.update(f"large {status.st_size} {status.st_mtime_ns}".encode())
    for at in (0, status.st_size - BLOCK) if left >= 2 * BLOCK < status.st_size else ():
        file.seek(at)
        found.update(file.read(BLOCK))
        read += BLOCK
    return read


def path_of(folder: Path, student: str) -> Path:
    """Return where a student's record is kept."""
    return folder / f"{student}.json"


def load(folder: Path, student: str) -> dict | None:
    """Return a student's record; None if there is none, or a damaged one or one of another version."""
    try:
        found = json.loads(path_of(folder, student).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("version") == VERSION else None


def save(folder: Path, record: dict) -> None:
    """Write a student's record: the last step of grading, so that one without a record is graded again."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps({"version": VERSION} | record, allow_nan=False)  # ASCII: a file's name may be no text
    files.write_whole(path_of(folder, record["student"]), text, mode=0o600, sync=False)
