"""What of this machine a confined program may read: interpreter, standard library, shared libraries, packages."""

import importlib.util
import os
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from . import agent

SYSTEM_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/libexec", "/nix/store", "/gnu/store")
NEVER = ("site-packages", "dist-packages", "__pycache__")  # what is installed beside the standard library
BESIDES = ("/etc/ld.so.cache", "/etc/localtime", "/usr/share/zoneinfo")
DEVICES = ("/dev/null", "/dev/zero", "/dev/random", "/dev/urandom")


@dataclass(frozen=True)
class Tree:
    """A file or folder that may be read, but for what is in `hidden`."""

    path: str
    hidden: tuple[str, ...] = ()

    def pieces(self) -> tuple[str, ...]:
        """Return paths that together are the tree without what is hidden."""
        if not any(os.path.lexists(path) for path in self.hidden):
            return (self.path,)
        found = []
        for entry in os.scandir(self.path):
            inside = tuple(path for path in self.hidden if path == entry.path or path.startswith(entry.path + os.sep))
            if not inside:
                found.append(entry.path)
            elif entry.path not in inside:
                found.extend(Tree(entry.path, inside).pieces())
        return tuple(found)


@dataclass(frozen=True)
class Runtime:
    """An interpreter and what it needs: the command that starts the agent in a role, what may be read, packages."""

    python: str
    trees: tuple[Tree, ...]
    packages: dict[str, str]

    def command(self, role: str, settings: str) -> list[str]:
        """Return the command that starts the agent: no environment variable, no user's folder, no site-packages."""
        main = os.path.join(os.path.dirname(agent.__file__), "__main__.py")
        return [self.python, "-P", "-s", "-S", "-B", "-X", "utf8", main, role, settings]

    def readable(self) -> tuple[str, ...]:
        """Return the paths that may be read."""
        return tuple(path for tree in self.trees for path in tree.pieces())

    def listable(self) -> tuple[str, ...]:
        """Return folders that may be listed: Python's imports look for what is there."""
        return tuple(tree.path for tree in self.trees if tree.hidden)


def of(packages: Sequence[str]) -> Runtime:
    """Return what is needed to run this Python with some packages.

    Raises
    ------
    ModuleNotFoundError
        If a package is not installed.
    """
    python = os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable)
    # the widest first: what comes later is put on top of it, and on top of what it hides
    trees = [*_system_libraries(), Tree(python), *_standard_library(), Tree(os.path.dirname(agent.__file__))]
    places = {}
    for name in packages:
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        places[name] = spec.origin
        if os.path.basename(spec.origin) == "__init__.py":
            folder = os.path.dirname(spec.origin)
            beside = os.path.join(os.path.dirname(folder), f"{name}.libs")  # where wheels keep shared libraries
            trees += [Tree(path) for path in (folder, beside) if os.path.isdir(path)]
        else:
            trees.append(Tree(spec.origin))
    trees += [Tree(path) for path in _loaded_libraries() if not _covered(path, trees)]
    trees += [Tree(path) for path in BESIDES if os.path.exists(path)]
    return Runtime(python, tuple(trees), places)


def _standard_library():
    folders = (sysconfig.get_path("stdlib"), sysconfig.get_config_var("DESTSHARED"))
    for folder in dict.fromkeys(os.path.realpath(folder) for folder in folders if folder):
        if os.path.isdir(folder):
            yield Tree(folder, tuple(os.path.join(folder, name) for name in NEVER[:2]))


def _system_libraries():
    for folder in SYSTEM_LIBRARIES:
        if os.path.isdir(folder):
            # a Python of the system's has packages of its own there
            found = sorted(str(path) for path in Path(folder).glob("python*") if path.is_dir())
            yield Tree(folder, tuple(found))


def _covered(path, trees):
    real = os.path.realpath(path)
    return any(real.startswith(os.path.realpath(tree.path) + os.sep) for tree in trees)


@cache
def _loaded_libraries():
    """Return shared libraries that this very process has loaded: libpython is in odd places at times."""
    try:
        with open("/proc/self/maps", encoding="utf-8", errors="replace") as file:
            paths = {line.split(None, 5)[-1].strip() for line in file if ".so" in line}
    except OSError:
        return ()
    wanted = ("libpython", "libc.", "libm.", "libstdc++", "libgcc", "libz", "libffi", "ld-")
    return tuple(sorted(p for p in paths if os.path.isfile(p) and os.path.basename(p).startswith(wanted)))
