"""The files of one submission: found in folders and archives, read within bounds; nothing is unpacked to disk."""

import io
import os
import re
import stat
import tarfile
import time
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from .. import reading
from ..reading import Unreadable

MAX_ENTRIES = 2000  # of folders and archives looked at
MAX_DEPTH = 4  # of folders
MAX_NESTED = 2  # archives inside archives
MAX_UNPACKED = 128 << 20  # bytes read out of one archive, those passed over included
MAX_KEPT = 64 << 20  # bytes of all files of an archive that are kept at once
MAX_DIRECTORY = 1 << 20  # bytes of an archive's table of contents: some 20,000 names
IGNORED = re.compile(r"\.|__MACOSX$|__pycache__$|timestamp\.txt$|Thumbs\.db$|desktop\.ini$")
SUFFIX = re.compile(
    r"(?P<stem>.*?)(?:\.(?P<notebook>ipynb(?:\.(?:txt|json|ipynb))*|json)|\.(?P<script>py(?:\.(?:txt|py))*)"
    r"|\.(?P<archive>zip|tar|tgz|tar\.gz|gz)|\.(?P<text>txt))?\s*",
    re.IGNORECASE | re.DOTALL,
)
NO_FOLLOW = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
BROKEN_ARCHIVE = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, NotImplementedError, RuntimeError)


@dataclass(frozen=True)
class File:
    """A file that might be the work.

    Attributes
    ----------
    path : Path
        Relative to the submission's folder; of a file in an archive, the archive's.
    shown : str
        How messages name it, the archive included.
    kind : str
        ``notebook``, ``script`` or ``text``, going by its name.
    stem : str
        Its name without suffix, as names are compared.
    depth : int
        How many folders and archives it is in.
    modified : float
        When it was last changed, in seconds.
    data : bytes or None
        What is in it, of a file in an archive.
    problem : Unreadable or None
        Why it cannot be read.
    """

    path: Path
    shown: str
    kind: str
    stem: str
    depth: int = 0
    modified: float = 0.0
    data: bytes | None = None
    problem: Unreadable | None = None
    place: Path | None = None

    @property
    def archive(self) -> str:
        """The archive that it is in, as messages name it."""
        return self.shown.rpartition("/")[0] if self.data is not None else ""

    @property
    def folder(self) -> str:
        """The folder or archive that it is in, as messages name it, with the stroke at its end; empty at the top."""
        return "".join(self.shown.rpartition("/")[:2])

    @property
    def name(self) -> PurePosixPath:
        """Its name, as messages have it."""
        return PurePosixPath(self.shown.rpartition("/")[2] or "file")

    def read(self) -> bytes:
        """Return what is in it, without a notebook's outputs if it is large; raise `Unreadable`."""
        if self.problem is not None:
            raise self.problem
        if self.data is not None:
            return self.data
        with _opened(self.place, self.shown) as (stream, size):
            return reading.read_bytes(stream, self.shown, size)


def look(folder: Path) -> tuple[list[File], list[str]]:
    """Return the files of a submission that might be work, and how the rest that might be meant is called.

    Raises
    ------
    OSError
        If the folder itself cannot be read.
    """
    files, others = [], []
    top = folder.resolve()
    for place, depth in _walk(folder):
        relative = place.relative_to(folder)
        shown = show_name(relative.as_posix())
        file = _file(relative, shown, place.name, depth)
        if file is None:
            others.append(shown)
            continue
        try:
            info = place.lstat()
            if stat.S_ISLNK(info.st_mode):
                place = place.resolve()
                if not place.is_relative_to(top):
                    raise Unreadable("arrival.link_outside", path=shown)
                info = place.lstat()
            if not stat.S_ISREG(info.st_mode):
                raise Unreadable("arrival.not_regular", path=shown)
            file = replace(file, place=place, modified=info.st_mtime)
            with _opened(place, shown) as (stream, _):
                head = stream.read(4)
                stream.seek(0)
                if file.kind == "archive" or head == b"PK\3\4":
                    files += _unpacked(file, stream, head)
                    continue
        except Unreadable as problem:
            file = replace(file, problem=problem)
        except (OSError, RuntimeError, ValueError) as error:  # RuntimeError: links that lead round in a circle
            why = getattr(error, "strerror", None) or type(error).__name__
            file = replace(file, problem=Unreadable("read.denied", path=shown, why=why))
        files.append(file)
    return files, others


def _walk(folder: Path) -> Iterator[tuple[Path, int]]:
    """Yield everything but folders, in the order of names, folders last; links to folders are not entered."""
    count, todo = 0, [(folder, 0)]
    while todo:
        at, depth = todo.pop(0)
        try:
            with os.scandir(at) as entries:
                found = sorted((e.name, e.is_dir(follow_symlinks=False)) for e in islice(entries, MAX_ENTRIES))
        except OSError:
            if not depth:
                raise
            continue
        for name, is_folder in found:
            count += 1
            if count > MAX_ENTRIES:
                return
            if IGNORED.match(name):
                continue
            if is_folder:
                if depth < MAX_DEPTH:
                    todo.append((at / name, depth + 1))
            else:
                yield at / name, depth


class _opened:
    """A regular file, opened without following a link or waiting for a pipe."""

    def __init__(self, place: Path, shown: str):
        self._place, self._shown = place, shown

    def __enter__(self):
        try:
            self._file = os.fdopen(os.open(self._place, NO_FOLLOW), "rb")
        except OSError as error:
            why = error.strerror or type(error).__name__
            raise Unreadable("read.denied", path=self._shown, why=why) from None
        info = os.fstat(self._file.fileno())
        if not stat.S_ISREG(info.st_mode):
            self._file.close()
            raise Unreadable("arrival.not_regular", path=self._shown)
        return self._file, info.st_size

    def __exit__(self, *_):
        self._file.close()


def _file(path: Path, shown: str, name: str, depth: int) -> File | None:
    match = SUFFIX.fullmatch(name)
    kind = next((k for k in ("notebook", "script", "archive", "text") if match[k]), None)
    if kind is None and "." not in name.strip("."):
        kind = "text"
    return File(path, shown, kind, compared(match["stem"]), depth) if kind else None


def compared(stem: str) -> str:
    """Return a name as names are compared: macOS takes letters apart, Windows ignores case."""
    return unicodedata.normalize("NFC", stem).casefold().strip()


def show_name(name: str) -> str:
    """Return a name as a message can hold it: whole characters, no control ones, not longer than a line."""
    name = unicodedata.normalize("NFC", name.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
    name = "".join(c if c.isprintable() else "?" for c in name)
    return name if len(name) <= 120 else f"…{name[-119:]}"


# --- archives ---------------------------------------------------------------------------------------------------------


class _Allowance:
    """What may still be read out of an archive."""

    def __init__(self):
        self.unpacked, self.kept, self.entries = MAX_UNPACKED, MAX_KEPT, MAX_ENTRIES


class _Counted(io.RawIOBase):
    """A stream that ends in `Unreadable` once the allowance is used up."""

    def __init__(self, stream, allowance, shown):
        self._stream, self._allowance, self._shown = stream, allowance, shown

    def readable(self):
        return True

    def read(self, size=-1):
        left = self._allowance.unpacked
        data = self._stream.read(left + 1 if size is None or size < 0 else min(size, left + 1))
        self._allowance.unpacked -= len(data)
        if self._allowance.unpacked < 0:
            raise Unreadable("arrival.archive_too_large", path=self._shown, megabytes=MAX_UNPACKED >> 20)
        return data


def _unpacked(file: File, stream, head: bytes, allowance=None, level: int = 1) -> list[File]:
    """Return the files of an archive that might be work; in place of one that cannot be read, the archive itself."""
    allowance = allowance or _Allowance()
    try:
        members = _zip_members if head[:2] == b"PK" else _tar_members
        found = list(members(file, stream, allowance, level))
    except Unreadable as problem:
        return [replace(file, kind="notebook", problem=problem)]
    except (*BROKEN_ARCHIVE, OSError, ValueError, OverflowError, MemoryError):
        problem = Unreadable("arrival.bad_archive", path=file.shown)
        return [replace(file, kind="notebook", problem=problem)]
    return found or [replace(file, kind="notebook", problem=Unreadable("arrival.empty_archive", path=file.shown))]


def _zip_members(file, stream, allowance, level):
    _refuse_long_directory(file, stream)
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            name = _zip_name(info)
            member = _member(file, name, allowance, level)
            if member is None or info.is_dir() or stat.S_ISLNK(info.external_attr >> 16):
                continue
            if info.flag_bits & 1:
                yield replace(member, data=b"", problem=Unreadable("arrival.encrypted", path=member.shown))
                continue
            if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # others may ask for any memory
                yield replace(member, data=b"", problem=Unreadable("arrival.bad_archive", path=file.shown))
                continue
            try:
                modified = time.mktime((*info.date_time, 0, 0, -1))
            except (ValueError, OverflowError):
                modified = 0.0
            with archive.open(info) as opened:
                yield from _read_member(replace(member, modified=modified), opened, allowance, level)


def _refuse_long_directory(file, stream):
    """Refuse what would fill the memory before a single name is seen: `zipfile` reads the whole table of contents."""
    stream.seek(0, io.SEEK_END)
    size = stream.tell()
    stream.seek(max(0, size - (1 << 16) - 22))
    end = stream.read()
    at = end.rfind(b"PK\5\6")
    if at < 0 or len(end) < at + 22:
        raise zipfile.BadZipFile
    directory = int.from_bytes(end[at + 12 : at + 16], "little")
    if directory > MAX_DIRECTORY or end[at - 20 : at - 16] == b"PK\6\7":  # the latter: sizes that need 64 bits
        raise Unreadable("arrival.archive_too_large", path=file.shown, megabytes=MAX_UNPACKED >> 20)
    stream.seek(0)


def _zip_name(info):
    """Return a member's name: without the mark for UTF-8 it is in that all the same, or in the code page of DOS."""
    if info.flag_bits & 0x800:
        return info.filename
    raw = info.filename.encode("cp437", "replace")
    for encoding in ("utf-8", "cp866"):
        try:
            return raw.decode(encoding)
        except UnicodeDecodeError:
            continue
    return info.filename


def _tar_members(file, stream, allowance, level):
    if stream.read(2) == b"\x1f\x8b":
        import gzip

        stream.seek(0)
        stream = gzip.GzipFile(fileobj=stream)
    else:
        stream.seek(0)
    with tarfile.open(fileobj=_Counted(stream, allowance, file.shown), mode="r|") as archive:
        for info in archive:
            member = _member(file, info.name, allowance, level)
            if member is not None and info.isreg():
                opened = archive.extractfile(info)
                yield from _read_member(replace(member, modified=float(info.mtime)), opened, allowance, level)


def _member(file: File, name: str, allowance: _Allowance, level: int) -> File | None:
    """Return the file that a member would be, if it might be work. Its path is only a name: nothing is unpacked."""
    allowance.entries -= 1
    if allowance.entries < 0:
        raise Unreadable("arrival.archive_too_large", path=file.shown, megabytes=MAX_UNPACKED >> 20)
    parts = [part for part in re.split(r"[/\\]", name) if part not in ("", ".", "..")]
    if not parts or any(map(IGNORED.match, parts)):
        return None
    base = parts[-1]
    return _file(file.path, f"{file.shown}/{show_name(base)}", base, file.depth + level + len(parts) - 1)


def _read_member(member, stream, allowance, level):
    counted = _Counted(stream, allowance, member.shown)
    try:
        if member.kind == "archive":
            if level < MAX_NESTED:
                data = counted.read()
                yield from _unpacked(member, io.BytesIO(data), data[:4], allowance, level + 1)
            return
        data = reading.read_bytes(counted, member.shown)
        allowance.kept -= len(data)
        if allowance.kept < 0:
            raise Unreadable("arrival.archive_too_large", path=member.shown, megabytes=MAX_KEPT >> 20)
        yield replace(member, data=data)
    except Unreadable as problem:
        if allowance.unpacked < 0 or allowance.kept < 0:
            raise
        yield replace(member, data=b"", problem=problem)
    except (*BROKEN_ARCHIVE, OSError) as error:
        if isinstance(error, Unreadable):
            raise
        yield replace(member, data=b"", problem=Unreadable("arrival.bad_archive", path=member.shown))
