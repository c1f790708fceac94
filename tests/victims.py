"""What hostile submissions try to reach, and how it is seen that none of them did.

Each file of `tests/hostile` says in its first lines what it tries and which parts it has right. It is told by name
what an attacker would otherwise have to find out: ``GRADER`` (a process), ``PORT`` and ``ABSTRACT`` (where somebody
listens), ``OUTSIDE`` (a folder with a gradebook), ``PACKAGE`` (where attnlab is). An attack that succeeds raises
"GOTCHA".
"""

import contextlib
import ctypes
import os
import re
import socket
from pathlib import Path

import attnlab

HOSTILE = sorted((Path(__file__).parent / "hostile").glob("*.py"))


def credit_of(source: str) -> set[str]:
    """Return the parts that a hostile file has right."""
    return set(re.match(r"# .+\n# credit: (.+)\n", source)[1].split()) - {"none"}


def adopt_orphans(yes):
    """Have whoever is orphaned below us become our child, so that it is seen."""
    ctypes.CDLL(None).prctl(36, int(yes), 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def children_of(pid):
    """Return all processes below one, by number."""
    parents = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            with contextlib.suppress(OSError, IndexError):
                fields = Path(entry.path, "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] != b"Z":
                    parents[int(entry.name)] = int(fields[1])
    found, todo = set(), [pid]
    while todo:
        above = todo.pop()
        below = {p for p, parent in parents.items() if parent == above} - found
        found |= below
        todo.extend(below)
    return found


def snapshot(folder):
    """Return all there is to see of a folder: names, contents, rights, times, links, attributes."""
    return {
        path.name: (
            path.stat().st_mode, path.stat().st_size, path.stat().st_mtime_ns, path.stat().st_nlink,
            os.listxattr(path), path.read_bytes() if path.is_file() else None,
        )
        for path in Path(folder).iterdir()
    }  # fmt: skip


class Bait:
    """A folder with a gradebook, and somebody who listens."""

    def __init__(self, folder, name):
        self.outside = folder
        self.outside.mkdir()
        (self.outside / "gradebook.db").write_text("marks", encoding="utf-8")
        (self.outside / "gradebook.db").chmod(0o644)
        abstract = f"attnlab-hostile-{os.getpid()}-{name}"
        self.listeners = [
            socket.create_server(("127.0.0.1", 0)),
            self._bound(socket.SOCK_STREAM, str(self.outside / "socket")),
            self._bound(socket.SOCK_STREAM, f"\0{abstract}"),
            self._bound(socket.SOCK_DGRAM, f"\0{abstract}-datagram"),
        ]
        self.before = snapshot(self.outside)
        given = {
            "GRADER": os.getpid(), "PORT": self.listeners[0].getsockname()[1], "ABSTRACT": abstract,
            "OUTSIDE": str(self.outside), "PACKAGE": str(Path(attnlab.__file__).parent),
        }  # fmt: skip
        self.given = "".join(f"{name} = {value!r}\n" for name, value in given.items())

    @staticmethod
    def _bound(kind, address):
        listener = socket.socket(socket.AF_UNIX, kind)
        listener.bind(address)
        if kind == socket.SOCK_STREAM:
            listener.listen()
        return listener

    def is_whole(self):
        """Say whether nothing in the folder was touched."""
        return snapshot(self.outside) == self.before

    def somebody_called(self):
        """Say which listener was reached."""
        for listener in self.listeners:
            listener.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                if listener.type == socket.SOCK_DGRAM:
                    return listener.recv(1)
                return listener.accept()
        return None

    def close(self):
        """Listen no longer."""
        for listener in self.listeners:
            listener.close()
