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

    A step may be interrupted: while we compute what it has asked for, nothing is charged, and its clock goes on from
    where it stood when the step with the same key begins again.

    Parameters
    ----------
    process : attnlab.sandbox.remote.Running
    limits : Limits
    charged, wall : float
        Seconds, of CPU and sleep together and of wall time, that are left of the submission's own limits.
    """

    def __init__(self, process, limits, charged, wall):
        self.overrun: Overrun | None = None
        self._process, self._limits, self._left = process, limits, (charged, wall)
        self._seen = 0.0  # CPU seconds of the process as of the last look
        self._free, self._began, self._blind = None, 0.0, False
        self._slept = 0.0
        self._step, self._waiting, self._stopped = None, False, threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def ready(self) -> None:
        """The process has started: what it uses from now on is the submission's."""
        usage = self._process.usage()
        self._blind = usage is None
        self._seen = self._free = 0.0 if usage is None else usage.cpu
        self._slept, self._began = 0.0, time.monotonic()

    @property
    def cpu(self) -> float:
        """CPU seconds of the submission, as of the last look; half the wall time, where nobody says."""
        if self._blind:
            return self.wall / 2
        return 0.0 if self._free is None else max(0.0, self._seen - self._free)

    @property
    def slept(self) -> float:
        """Seconds in which the submission was waited for and had nothing to do."""
        return self._slept

    @property
    def wall(self) -> float:
        """Seconds since the process was ready."""
        return 0.0 if self._free is None else time.monotonic() - self._began

    def begin(self, seconds: float, key: tuple | None = None) -> None:
        """Start the clock of a step, or let it go on if it has the key of the last one."""
        if key is None or self._step is None or self._step[0] != key:
            self._step = (key, seconds, object())
        self._waiting = True

    def end(self) -> None:
        """The process has answered: it is not waited for."""
        self._waiting = False

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()

    def _watch(self):
        seen, last = None, time.monotonic()
        while not self._stopped.wait(TICK):
            step, waiting, now = self._step, self._waiting, time.monotonic()
            usage, before = self._process.usage(), self._seen
            if usage is not None:
                self._seen = usage.cpu
            sleeps = waiting and usage is not None and not usage.runnable and not self._has_answered()
            self._slept += TICK if sleeps else 0.0
            if step is not seen:
                seen, wall, cpu, slept = step, 0.0, 0.0, 0.0
            elif step is not None:
                wall += now - last if waiting else 0.0
                cpu += max(0.0, self._seen - before)
                slept += TICK if sleeps else 0.0
            last = now
            found = None
            if step is not None and waiting:
                charged = wall / 2 if usage is None else cpu + slept
                found = self._judge(step[1], wall, charged, cpu) or self._judge_all()
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
        return None

    def _has_answered(self):
        """Say whether an answer is there and only we have not got round to reading it."""
        try:
            return self._process.pending()
        except (OSError, ValueError):  # it has just ended
            return True

    def _judge_all(self):
        if self.cpu + self.slept > self._left[0]:
            return Overrun(self._limits.cpu, wall=self.cpu <= self._left[0], in_all=True)
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
