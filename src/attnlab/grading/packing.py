"""A submission folder as bytes, for workers on other machines: what is in it arrives as what it is, links as links."""

import io
import os
import stat
import tarfile
from pathlib import Path

MAX_PACKED = 512 << 20  # bytes of all files: one that is larger is refused anyway; what does not fit stays behind


def pack(folder: Path) -> bytes:
    """Return the folder as a compressed archive. What cannot be read arrives as a file that cannot be read."""
    buffer, left = io.BytesIO(), MAX_PACKED
    with tarfile.open(fileobj=buffer, mode="w:gz", compresslevel=1, format=tarfile.PAX_FORMAT) as archive:
        for root, folders, names in os.walk(folder):
            for name in sorted((*folders, *names)):
                path = Path(root, name)
                try:
                    info = archive.gettarinfo(path, str(path.relative_to(folder)))
                    if info is None:  # a socket
                        continue
                    if info.islnk():  # a second name of a file is a file
                        info.type, info.size = tarfile.REGTYPE, path.stat().st_size
                    if not info.isreg():
                        archive.addfile(info)
                    elif info.size <= left and os.access(path, os.R_OK):
                        left -= info.size
                        with open(path, "rb") as file:
                            archive.addfile(info, file)
                except OSError:
                    continue
    return buffer.getvalue()


def unpack(data: bytes, folder: Path) -> None:
    """Lay out what `pack` made. The archive is our own; still nothing is followed and nothing gets a special mode."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as archive:
        for info in archive:
            target = folder / info.name
            if info.isdir():
                target.mkdir(exist_ok=True)
            elif info.issym():
                target.symlink_to(info.linkname)
            elif info.isreg():
                target.write_bytes(archive.extractfile(info).read())
                os.utime(target, (info.mtime, info.mtime))
                target.chmod(stat.S_IMODE(info.mode) & 0o700 | 0o400)
            elif info.isfifo() and hasattr(os, "mkfifo"):
                os.mkfifo(target)
