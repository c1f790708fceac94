"""Files written whole or not at all."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes | str, mode: int | None = None, sync: bool = True) -> None:
    """Write a file so that at any moment, power cuts included, it is the old one or the new one.

    Parameters
    ----------
    path : Path
    data : bytes or str
        Text is written as UTF-8 with line feeds.
    mode : int, optional
        Permissions, where the system has such; by default the file's own, and of a new file what everybody may read.
    sync : bool
        Whether to wait until it is on the disk; without it a power cut may leave an empty file.

    Raises
    ------
    OSError
        If it cannot be written; then nothing is left behind.
    """
    path = path.resolve()  # a link stays a link
    handle, name = tempfile.mkstemp(prefix=".", suffix=".part", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        with suppress(OSError):
            if mode is None:
                mode = path.stat().st_mode if path.exists() else 0o644
            os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise
