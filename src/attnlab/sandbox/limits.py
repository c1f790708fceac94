"""What a submission may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Settings, with defaults that no right solution comes near.

    Seconds are CPU time, and time slept by the student's own wish; half the wall time, where the system does not tell
    them apart. A busy machine takes nothing from these: time spent waiting for a processor is not counted. Wall limits
    only stop what would otherwise wait for ever; a loss that the processor time alone does not explain is marked as
    such (`RemoteTarget.wall_limited`), so that it can be tried again on a quiet machine.

    Attributes
    ----------
    start, load, case, after_timeout : float
        Seconds for the process to start; for one statement of the source; for one case; for one case after a first
        time-out.
    part, part_after_timeout : float
        Seconds for all cases of a part together, so that a part that wastes them leaves enough for the others; `part`
        also for all statements of the source.
    cpu : float
        Seconds for a whole submission.
    wall_factor : float
        Wall seconds granted for each second of the limit of a step.
    wall : float
        Wall seconds for a whole submission.
    memory : int
        Bytes of data; twice as many of addresses.
    file_size, scratch, scratch_files : int
        Bytes of one file, and bytes and number of all files in the submission's own folder, the only one it may
        write to.
    open_files, threads : int
        How many at once. A submission is one process: starting others is refused.
    """

    start: float = 60.0
    load: float = 10.0
    case: float = 2.0
    after_timeout: float = 1.0
    part: float = 30.0
    part_after_timeout: float = 10.0
    cpu: float = 120.0
    wall_factor: float = 10.0
    wall: float = 900.0
    memory: int = 1 << 30
    file_size: int = 16 << 20
    scratch: int = 32 << 20
    scratch_files: int = 500
    open_files: int = 128
    threads: int = 64

    def rlimits(self) -> dict[str, int]:
        """Return what the system itself is asked to enforce, by the names of `resource`."""
        cpu = int(self.cpu + self.start) + 5
        return {
            "AS": 2 * self.memory, "DATA": self.memory, "CPU": cpu, "CORE": 0, "FSIZE": self.file_size,
            "NOFILE": self.open_files, "MEMLOCK": 0, "MSGQUEUE": 0, "NICE": 0, "RTPRIO": 0,
        }  # fmt: skip
