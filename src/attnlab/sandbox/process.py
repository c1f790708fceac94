"""A target whose functions live in a process of their own, started for it: for students' own checks, on any system."""

import json
import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from . import agent
from .answers import signal_name
from .limits import Limits
from .remote import AgentError, RemoteTarget
from .right import right_answer
from .stream import Stream
from .watchdog import usage_of_session

__all__ = ["AgentError", "Limits", "ProcessTarget", "right_answer"]

PROGRAM = Path(agent.__file__).with_name("__main__.py")
FORK = sys.platform == "linux"  # elsewhere forking after NumPy is loaded is unsafe or impossible
LIMITED = sys.platform == "linux"
STUDENT_ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
    "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "MPLBACKEND": "Agg",
}  # fmt: skip


class ProcessTarget(RemoteTarget):
    """Starts at once, so that it overlaps other work. Where forking is cheap each part gets a process of its own."""

    def _start(self):
        limited = {"rlimits": {"AS": 8 << 30, "CPU": 600, "CORE": 0}, "growth": self._limits.memory} if LIMITED else {}
        settings = json.dumps({"fork": FORK, **limited})
        command = [sys.executable, "-P", "-X", "utf8", str(PROGRAM), "serving", settings]
        return Child(command, self._folder, os.environ | STUDENT_ENVIRONMENT)


class Child:
    """A process that we started, talked to over pipes."""

    def __init__(self, command, folder, environment):
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0,
            env=environment, start_new_session=True, cwd=folder,
        )  # fmt: skip
        self._stream = Stream(self._process.stdout.fileno())
        self.pid = self._process.pid
        self.read, self.pending = self._stream.read, self._stream.pending

    def write(self, data):
        """Send to it."""
        self._stream.write(self._process.stdin.fileno(), data)

    def usage(self):
        """Say what its whole session has used."""
        return usage_of_session(self.pid)

    def excess(self):
        """Nothing is counted here."""
        return False

    def kill(self):
        """Kill its process group."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()

    def end(self, wait):
        """Kill it, and say how it ended."""
        if wait:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(1)
        code = self._process.poll()
        self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                stream.close()
        self._process.wait()
        return "exit" if code is None or code >= 0 else signal_name(-code)
