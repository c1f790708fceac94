"""How strongly student code is confined: bubblewrap, Landlock, or limits alone. Never less than was asked for."""

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from . import runtime
from .agent import confine, seccomp

NAMES = ("bubblewrap", "landlock", "spawn")
MOUNTED_SCRATCH = "/scratch"  # where bubblewrap puts the folder that may be written to


class TierUnavailable(Exception):
    """A tier cannot be used here. Holds the id and the facts of a sentence that says why and what to do."""

    def __init__(self, message: str, **facts):
        super().__init__(message)
        self.message, self.facts = message, facts


@dataclass(frozen=True)
class Grants:
    """What a confined program may use besides the interpreter and its standard library.

    Attributes
    ----------
    packages : tuple of str
        Import names of what may be imported, ``numpy`` for one.
    read, write : tuple of str
        Further files and folders. What is written must be given as a folder.
    hidden : tuple of str
        What may not be read, though it lies below something in `read`.
    serve : bool
        Whether the program is called over sockets, as a Jupyter kernel is. It may listen, and still call nobody.
    """

    packages: tuple[str, ...] = ("numpy",)
    read: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    serve: bool = False


@dataclass(frozen=True)
class Tier:
    """One way to confine.

    Attributes
    ----------
    name : str
    announcement : str
        Id of the sentence to print when it is in force.
    safe : bool
        Whether it is meant for code of people one does not know.
    """

    name: str
    announcement: str
    safe: bool = True

    def wrap(self, argv: Sequence[str], grants: Grants, rlimits: dict | None = None) -> list[str]:
        """Return the command that runs `argv` confined, in the caller's environment and current folder.

        For programs that student code runs inside of, a Jupyter kernel for one. Started this way a kernel sees its
        connection file (name its folder in ``write``) and is reached over ``ipc`` sockets below a folder in ``write``
        or over TCP on the loopback; it can itself connect to nothing. `argv` starts with the path of the interpreter.
        The ``-s -S`` of the outer Python are not the inner one's: `argv` finds packages as it always does, as far as
        ``read`` lets it.

        Examples
        --------
        >>> choose("auto").wrap([sys.executable, "-m", "ipykernel_launcher", "-f", file],
        ...                     Grants(read=(sys.prefix,), hidden=(course,), write=(folder,), serve=True))
        """
        found = runtime.of(grants.packages)
        # the widest first: what comes later is put on top of it, and on top of what it hides
        trees = tuple(runtime.Tree(path, _below(path, grants.hidden)) for path in _really((argv[0], *grants.read)))
        found = runtime.Runtime(found.python, (*trees, *found.trees), found.packages)
        settings = {
            "argv": list(argv),
            "rlimits": rlimits or {},
            "calls": self.name != "spawn",
            "packages": found.packages,
            "policy": self.policy(found, grants.write, grants.serve),
        }
        return self.around(found, grants.write, found.command("launch", json.dumps(settings)), serve=grants.serve)

    def policy(self, found: runtime.Runtime, write: Sequence[str], serve: bool = False) -> dict | None:
        """Return what the process itself shuts with Landlock, None if it need not or cannot."""
        if self.name != "landlock":
            return None
        return {
            "read": found.readable(),
            "list": found.listable(),
            "write": tuple(write),
            "devices": runtime.DEVICES,
            "serve": serve,
        }

    def around(self, found: runtime.Runtime, write, command, *, scratch=None, serve=False) -> list[str]:
        """Return `command` with what must stand before it."""
        if self.name != "bubblewrap":
            return command
        return [*bubblewrap(found, write, scratch, serve), *command]


def _really(paths):
    """Return paths, and all the places that links among them lead through."""
    found = {}
    for path in map(os.path.abspath, paths):
        found[os.path.realpath(path)] = None
        while path not in found:
            found[path] = None
            if os.path.islink(path):
                path = os.path.abspath(os.path.join(os.path.dirname(path), os.readlink(path)))
    return tuple(found)


def _below(path, others):
    return tuple(other for other in _really(others) if other.startswith(path.rstrip(os.sep) + os.sep))


def bubblewrap(found: runtime.Runtime, write=(), scratch=None, serve=False) -> list[str]:
    """Return the bubblewrap command line: nothing of the machine but what Python needs, and all of that read-only.

    There is no ``/proc``: nothing in it is needed, and much can be learned from it.
    """
    line = [shutil.which("bwrap") or "bwrap", "--unshare-all", "--new-session", "--cap-drop", "ALL"]
    if threading.current_thread() is threading.main_thread():  # to Linux the parent is the thread: it may end earlier
        line.append("--die-with-parent")
    line += ["--hostname", "sandbox", "--perms", "0755", "--dir", "/dev"]
    if serve:
        line.append("--share-net")
    for path in runtime.DEVICES:
        line += ["--dev-bind-try", path, path]
    masks = []
    for tree in found.trees:
        if os.path.islink(tree.path) and os.path.isdir(tree.path):
            line += ["--symlink", os.readlink(tree.path), tree.path]
            continue
        line += [*_parents(tree.path), "--ro-bind", tree.path, tree.path]
        for path in tree.hidden:
            if os.path.isdir(path):
                line += ["--perms", "0755", "--size", "65536", "--tmpfs", path]
                masks += ["--remount-ro", path]  # at the end: a package that is allowed may lie below
            elif os.path.exists(path):
                line += ["--ro-bind", os.devnull, path]
    for path in write:
        line += [*_parents(path), "--bind", path, path]
    if scratch is not None:
        line += ["--bind", scratch, MOUNTED_SCRATCH, "--chdir", MOUNTED_SCRATCH]
    return [*line, *masks, "--remount-ro", "/", "--"]


def _parents(path):
    """Make the folders above a path readable by everybody: bubblewrap's own default shuts ordinary users out."""
    line, above = [], os.path.dirname(path)
    while above not in ("/", ""):
        line = ["--perms", "0755", "--dir", above, *line]
        above = os.path.dirname(above)
    return line


BUBBLEWRAP = Tier("bubblewrap", "tier.bubblewrap")
LANDLOCK = Tier("landlock", "tier.landlock")
SPAWN = Tier("spawn", "tier.spawn", safe=False)
ALL = (BUBBLEWRAP, LANDLOCK, SPAWN)


@cache
def _obstacle(name):
    """Return why a tier cannot be used here as ``(message, facts)``, None if nothing is known against it."""
    if name == "spawn":
        return None
    if not sys.platform.startswith("linux"):
        return "tier.linux_only", {"tier": name, "system": sys.platform}
    if not seccomp.supported():
        return "tier.processor", {"tier": name, "machine": os.uname().machine}
    if name == "landlock":
        return None if confine.landlock_version() else ("tier.no_landlock", {})
    if shutil.which("bwrap") is None:
        return "tier.no_bubblewrap", {}
    probe = [*bubblewrap(runtime.of(()))[:-1], "--", runtime.of(()).python, "-I", "-S", "-c", "pass"]
    try:
        done = subprocess.run(probe, capture_output=True, timeout=30, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "tier.bubblewrap_refused", {"why": type(error).__name__}
    if done.returncode:
        why = done.stderr.decode("utf-8", "replace").strip().splitlines()
        return "tier.bubblewrap_refused", {"why": why[-1][:200] if why else f"exit status {done.returncode}"}
    return None


def available() -> tuple[Tier, ...]:
    """Return the tiers that this machine has, the strongest first. Whether they hold, only a self-test tells."""
    return tuple(tier for tier in ALL if _obstacle(tier.name) is None)


def choose(name: str = "auto") -> Tier:
    """Return a tier that has just passed its self-test: the one asked for, or the strongest there is.

    Whoever asks has to print which it is, and to warn of one that is not `safe`.

    Raises
    ------
    TierUnavailable
        With a sentence that says why, and what to do.
    """
    from .remote import AgentError
    from .self_test import self_test

    if name != "auto" and name not in NAMES:
        raise TierUnavailable("tier.unknown", name=name, names=", ".join(NAMES))
    reasons = []
    for tier in (tier for tier in ALL if name in ("auto", tier.name)):
        obstacle = _obstacle(tier.name)
        if obstacle is None:
            try:
                broken = [attack.name for attack in self_test(tier) if not attack.held]
            except AgentError as error:
                obstacle = "tier.does_not_start", {"tier": tier.name, "why": str(error)}
            else:
                if not broken or not tier.safe:
                    return tier
                obstacle = "tier.failed_test", {"tier": tier.name, "attacks": ", ".join(broken)}
        reasons.append(obstacle)
    raise TierUnavailable(reasons[0][0], **reasons[0][1])
