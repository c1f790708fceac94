"""attnlab as a wheel, made from the files that are installed: no build tool, no index, the same bytes each time."""

import base64
import hashlib
import io
import re
import zipfile
from importlib import metadata
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
OLDEST = (1980, 1, 1, 0, 0, 0)  # a date for every file, so that equal contents make equal archives


def wheel() -> tuple[str, bytes]:
    """Return the wheel's file name and bytes.

    Raises
    ------
    importlib.metadata.PackageNotFoundError
        If attnlab runs without being installed, so that nothing tells its version and requirements.
    """
    found = metadata.distribution("attnlab")
    info = f"attnlab-{found.version}.dist-info"
    paths = sorted(path for path in PACKAGE.rglob("*") if path.is_file() and _ships(path.relative_to(PACKAGE)))
    files = {f"attnlab/{path.relative_to(PACKAGE).as_posix()}": path.read_bytes() for path in paths}
    files[f"{info}/METADATA"] = (found.read_text("METADATA") or "").encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: attnlab\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nattnlab = attnlab.cli:main\n"
    record = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    return f"attnlab-{found.version}-py3-none-any.whl", archive(files)


def requirements() -> str:
    """Return what attnlab needs, and SciPy, which students may call, each in the version that is installed here."""
    names = [re.match(r"[\w.-]+", line)[0] for line in metadata.requires("attnlab") or () if "extra ==" not in line]
    lines = []
    for name in sorted({*names, "scipy"}):
        try:
            lines.append(f"{name}=={metadata.version(name)}\n")
        except metadata.PackageNotFoundError:
            lines.append(f"{name}\n")
    return "".join(lines)


def archive(files: dict[str, bytes], programs: tuple[str, ...] = ()) -> bytes:
    """Return a zip archive of files by name; those named in `programs` can be executed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as out:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, OLDEST)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3  # Unix: then the mode counts
            entry.external_attr = (0o100755 if name in programs else 0o100644) << 16
            out.writestr(entry, data)
    return buffer.getvalue()


def _ships(path):
    return "__pycache__" not in path.parts and not any(part.startswith(".") for part in path.parts)


def _digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode("ascii")
