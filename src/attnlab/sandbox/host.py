"""One per grading worker: a warm confined process, and a fresh fork of it for each submission."""

import json
import os
import select
import signal
import socket
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Sequence
from contextlib import suppress

from . import agent, runtime, scratch
from .answers import ending
from .limits import Limits
from .process import STUDENT_ENVIRONMENT, Child
from .remote import AgentError, RemoteTarget
from .stream import Stream
from .tiers import MOUNTED_SCRATCH, Tier
from .watchdog import usage_of_process

PATIENCE = 60.0  # seconds in which the zygote, which runs no student code, must have started, or answered
WARM = {"scipy": ("scipy.special",)}  # what of a package is worth holding for everybody


class Host:
    """Starts confined processes for submissions, one after another or several at a time.

    In the tiers ``bubblewrap`` and ``landlock`` a zygote is exec'd, so nothing of the grader is in its memory. It holds
    Python, the packages and the agent. Each submission gets a fork with a channel and a folder of its own; there all of
    its parts run one after another. They get no process each: a process that may fork could leave others behind and
    bring the machine down, so forking is refused from the first line of student code on. What a part breaks in its own
    process is at its own cost, as in a notebook; after a loss a fresh fork loads the source again.

    In the tier ``spawn`` each submission gets a new Python process.

    Parameters
    ----------
    tier : Tier
    limits : Limits, optional
    packages : sequence of str
        Import names of the packages that submissions may use.
    """

    def __init__(self, tier: Tier, limits: Limits | None = None, packages: Sequence[str] = ("numpy", "scipy")):
        self.tier, self.limits = tier, limits or Limits()
        self._runtime = runtime.of(packages)
        self._warm = tuple(module for name in packages for module in (name, *WARM.get(name, ())))
        self._scratch = scratch.Scratch()
        self._zygote, self._number, self._lock = None, 0, threading.Lock()
        self._closed = False
        _HOSTS.add(self)
        if tier.name != "spawn":
            self._warmed()

    def target(self, chunks, functions, *, name: str = "submission", limits: Limits | None = None) -> "HostTarget":
        """Return a target for one submission; see `RemoteTarget`. Close it when it is done with."""
        return HostTarget(self, chunks, functions, name=name, limits=limits or self.limits)

    def close(self) -> None:
        """End the zygote and all its forks."""
        with self._lock:
            self._closed = True
            if self._zygote is not None:
                self._zygote.close()
                self._zygote = None
            self._scratch.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def start(self, limits: Limits):
        """Start a process for a submission."""
        with self._lock:
            if self._closed:
                raise AgentError("this sandbox is closed")
            self._number += 1
            number, folder = self._number, self._scratch.new()
            if self.tier.name == "spawn":
                return Spawned(self._runtime, self._scratch, folder, limits)
            zygote = self._warmed()
            within = f"{MOUNTED_SCRATCH}/{os.path.basename(folder)}" if self.tier.name == "bubblewrap" else folder
            try:
                channel, pidfd = zygote.fork(number, within, limits.rlimits())
            except (OSError, ValueError):  # it died unnoticed since the last time: once more, with a new one
                zygote.close()
                self._zygote = None
                zygote = self._warmed()
                try:
                    channel, pidfd = zygote.fork(number, within, limits.rlimits())
                except (OSError, ValueError) as error:
                    raise AgentError(f"the sandbox process ended while it was asked to fork ({error})") from error
        return Fork(zygote, number, channel, pidfd, self._scratch, folder, limits)

    def _warmed(self):
        """Return the zygote, started if there is none alive."""
        if self._zygote is not None and not self._zygote.alive():
            self._zygote.close()
            self._zygote = None
        if self._zygote is None:
            self._zygote = Zygote(self.tier, self._runtime, self._warm, self._scratch.name)
        return self._zygote

    def _forget(self):
        if self._zygote is not None:
            self._zygote.control.close()


_HOSTS: "weakref.WeakSet[Host]" = weakref.WeakSet()


def _let_go():
    """A forked copy of a grader must not keep a zygote alive that the grader has left."""
    for host in list(_HOSTS):
        host._forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_let_go)


class HostTarget(RemoteTarget):
    """A submission in a process of its host's."""

    def __init__(self, host: Host, chunks, functions, *, name, limits):
        self._host = host
        super().__init__(chunks, functions, name=name, limits=limits)

    def _start(self):
        return self._host.start(self._limits)


class Zygote:
    """The warm process, seen from outside."""

    def __init__(self, tier, found, warm, writable):
        settings = {"packages": found.packages, "warm": warm, "policy": tier.policy(found, (writable,))}
        command = tier.around(found, (), found.command("zygote", json.dumps(settings)), scratch=writable)
        self.control, theirs = socket.socketpair()
        self.control.settimeout(PATIENCE)
        self._lock = threading.Lock()
        environment = STUDENT_ENVIRONMENT | {
            "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2", "HOME": "/", "PATH": "", "USER": "student",
        }  # fmt: skip
        with tempfile.TemporaryFile() as complaints:
            self._process = subprocess.Popen(
                command, stdin=theirs, stdout=subprocess.DEVNULL, stderr=complaints, env=environment, cwd="/",
                start_new_session=True,
            )  # fmt: skip
            theirs.close()
            try:
                if agent.unpack(self.control.recv(1 << 12)) == ("ready",):
                    return
            except (OSError, ValueError):
                pass
            self.close()
            complaints.seek(0)
            said = complaints.read().decode("utf-8", "replace").strip().splitlines()
            raise AgentError(f"the sandbox ({tier.name}) did not start: {said[-1] if said else 'no reason given'}")

    def alive(self):
        """Say whether it still runs."""
        return self._process.poll() is None

    def fork(self, number, folder, rlimits):
        """Return the channel to a new process, and a descriptor that stands for it."""
        ours, theirs = socket.socketpair()
        try:
            with theirs, self._lock:
                request = agent.pack(("fork", number, folder, tuple(rlimits.items())))
                socket.send_fds(self.control, [request], [theirs.fileno()])
                data, fds, _, _ = socket.recv_fds(self.control, 1 << 12, 1)
                if not fds or agent.unpack(data) != ("forked", number):
                    raise ValueError("no answer")
        except BaseException:
            ours.close()
            raise
        return ours, fds[0]

    def reap(self, number):
        """Kill one of the forks, and return the exit status that it has left."""
        with self._lock:
            self.control.sendall(agent.pack(("reap", number)))
            answer = agent.unpack(self.control.recv(1 << 12))
            if answer[:2] != ("reaped", number):
                raise ValueError("another answer than was asked for")
            return answer[2]

    def close(self):
        """End it; its forks go with it."""
        self.control.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        with suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Fork:
    """One submission's process, seen from outside."""

    def __init__(self, zygote, number, channel, pidfd, place, folder, limits):
        self._zygote, self._number, self._channel, self._pidfd = zygote, number, channel, pidfd
        self._scratch, self._folder, self._limits, self._lock = place, folder, limits, threading.Lock()
        self._stream = Stream(channel.fileno())
        self.read, self.pending = self._stream.read, self._stream.pending
        self.pid = _pid_of(pidfd)

    def write(self, data):
        """Send to it."""
        self._stream.write(self._channel.fileno(), data)

    def usage(self):
        """Say what it has used; that is all there is, for it cannot start another process."""
        return usage_of_process(self.pid) if self.pid is not None else None

    def excess(self):
        """Say whether it has more threads, or more in its folder, than it may."""
        usage = self.usage()
        if usage is not None and usage.threads > self._limits.threads:
            return True
        return scratch.excess(self._folder, self._limits)

    def kill(self):
        """Kill it."""
        with self._lock, suppress(OSError):
            if self._pidfd is not None:
                signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)

    def end(self, wait):
        """Kill it, empty its folder, and say how it ended."""
        if wait:
            poll = select.poll()
            poll.register(self._pidfd, select.POLLIN)
            wait = not poll.poll(1000)
        self.kill()
        self._channel.close()
        try:
            status = self._zygote.reap(self._number)
        except (OSError, ValueError) as error:
            self._zygote.close()
            raise AgentError("the sandbox process ended while a submission ran in it") from error
        finally:
            with self._lock:
                os.close(self._pidfd)
                self._pidfd = None
            self._scratch.empty(self._folder)
        return "exit" if wait else ending(status)


class Spawned(Child):
    """One submission's process in the tier that has nothing but limits."""

    def __init__(self, found, place, folder, limits):
        rlimits = limits.rlimits() if os.name == "posix" else {}
        settings = {"packages": found.packages, "rlimits": rlimits, "readable": found.readable() + found.listable()}
        environment = dict(STUDENT_ENVIRONMENT)
        if "SYSTEMROOT" in os.environ:  # without it Python does not start on Windows
            environment["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        super().__init__(found.command("serving", json.dumps(settings)), folder, environment)
        self._scratch, self._folder, self._limits = place, folder, limits

    def excess(self):
        """Say whether it has more threads, or more in its folder, than it may."""
        usage = self.usage()
        too_many = usage is not None and usage.threads > self._limits.threads
        return too_many or scratch.excess(self._folder, self._limits)

    def end(self, wait):
        """Kill it and what it started, and empty its folder."""
        try:
            return super().end(wait)
        finally:
            self._scratch.empty(self._folder)


def _pid_of(pidfd):
    """Return the number that a process has in our own namespace, None if the system won't say."""
    try:
        with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
            return next((int(line[4:]) for line in file if line.startswith("Pid:")), None)
    except (OSError, ValueError):
        return None
