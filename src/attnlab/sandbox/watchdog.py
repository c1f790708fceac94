"""Kills a process whose step has used its time. Reading an answer stays a plain blocking read on every system."""

import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass

TICK = 0.05  # seconds between two looks


@dataclass(frozen=True)
class Usage:
    """CPU seconds used so far, whether anything could run just now, and how many threads there are."""

    cpu: float
    runnable: bool
    threads: int = 1


@dataclass(frozen=True)
class Overrun:
    """A limit that was passed: its seconds, and whether only the wall clock says so; or `excess`, of something else.

    With `in_all` it is a limit of the whole submission.
    """

    seconds: float
    wall: bool = False
    excess: bool = False
    in_all: bool = False


class Watchdog:
    """Watches one process, step by step.

    Parameters
    ----------
    process : attnlab.sandbox.remote.Running
    limits : Limits
    cpu, wall : float
        Seconds that are left of the submission's own limits.
    """

    def __init__(self, process, limits, cpu, wall):
        self.overrun: Overrun | None = None
        self._process, self._limits, self._left = process, limits, (cpu, wall)
        self._seen = 0.0  # CPU seconds of the process as of the last look
        self._free, self._began, self._blind = None, 0.0, False
        self._step, self._stopped = None, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def ready(self) -> None:
        """The process has started: what it uses from now on is the submission's."""
        usage = self._process.usage()
        self._blind = usage is None
        self._seen = self._free = 0.0 if usage is None else usage.cpu
        self._began = time.monotonic()

    @property
    def cpu(self) -> float:
        """CPU seconds that the submission has used, as of the last look; half the wall time, where nobody says."""
        if self._blind:
            return self.wall / 2
        return 0.0 if self._free is None else max(0.0, self._seen - self._free)

    @property
    def wall(self) -> float:
        """Seconds since the process was ready."""
        return 0.0 if self._free is None else time.monotonic() - self._began

    def begin(self, seconds: float) -> None:
        """Start the clock of a step."""
        self._step = (object(), seconds)

    def end(self) -> None:
        """The step is done."""
        self._step = None

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()

    def _watch(self):
        seen = None
        while not self._stopped.wait(TICK):
            step = self._step
            usage = self._process.usage()
            if usage is not None:
                self._seen = usage.cpu
            if step is None or step is not seen:
                seen, began, used, idle = step, time.monotonic(), self._seen, 0.0
                found = None
            else:
                wall = time.monotonic() - began
                charged, cpu = wall / 2, 0.0
                if usage is not None:
                    idle += 0.0 if usage.runnable else TICK
                    cpu = usage.cpu - used
                    charged = cpu + idle
                found = self._judge(step[1], wall, charged, cpu)
            if found is None and self._process.excess():
                found = Overrun(0.0, excess=True)
            if found is not None and not self._stopped.is_set():
                self.overrun = found
                self._process.kill()
                return

    def _judge(self, seconds, wall, charged, cpu):
        if charged > seconds:
            return Overrun(seconds, wall=cpu <= seconds)
        if wall > self._limits.wall_factor * seconds:
            return Overrun(seconds, wall=True)
        if self.cpu > self._left[0]:
            return Overrun(self._limits.cpu, in_all=True)
        if self.wall > self._left[1]:
            return Overrun(self._limits.wall, wall=True, in_all=True)
        return None


def usage_of_session(session: int) -> Usage | None:
    """Return the usage of all processes of a session, or None if the system won't say.

    A process that waits for a processor on a busy machine is runnable; one that sleeps by itself is not.
    """
    ticks, found, runnable, threads = 0, False, False, 0
    try:
        for entry in os.scandir("/proc"):
            if entry.name.isdigit():
                with suppress(OSError, IndexError, ValueError):
                    fields = _stat(f"/proc/{entry.name}/stat")
                    if int(fields[3]) == session:
                        ticks, found = ticks + int(fields[11]) + int(fields[12]), True
                        runnable = runnable or fields[0] in (b"R", b"D")
                        threads += int(fields[17])
    except OSError:
        return None
    return Usage(ticks / os.sysconf("SC_CLK_TCK"), runnable, threads) if found else None


def usage_of_process(pid: int) -> Usage | None:
    """Return the usage of one process and its threads, or None if the system won't say."""
    try:
        fields = _stat(f"/proc/{pid}/stat")
        threads = int(fields[17])
        runnable = fields[0] in (b"R", b"D")
        if threads > 1 and not runnable:
            runnable = any(
                _stat(f"/proc/{pid}/task/{task}/stat")[0] in (b"R", b"D") for task in os.listdir(f"/proc/{pid}/task")
            )
    except (OSError, IndexError, ValueError):
        return None
    return Usage((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), runnable, threads)


def _stat(path):
    """Return the fields of a stat file after the program's name, which may hold anything."""
    with open(path, "rb") as file:
        return file.read().rpartition(b")")[2].split()
