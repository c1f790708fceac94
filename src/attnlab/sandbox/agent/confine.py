"""What a Linux process gives up for good before student code runs in it: capabilities, files, sockets, other processes.

Plain calls through ctypes. Landlock says which files may be opened, `seccomp` which system calls are made at all.
"""

import ctypes
import functools
import os
import signal
import struct

from . import seccomp

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR, REMOVE_DIR, REMOVE_FILE = (1 << bit for bit in range(6))
MAKE_DIR, MAKE_REG, MAKE_SOCK, REFER, TRUNCATE, IOCTL_DEV = (1 << bit for bit in (7, 8, 9, 13, 14, 15))
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
READ = EXECUTE | READ_FILE | READ_DIR
WRITE = READ_FILE | READ_DIR | WRITE_FILE | REMOVE_FILE | REMOVE_DIR | MAKE_REG | MAKE_DIR | REFER | TRUNCATE
SERVE = WRITE | MAKE_SOCK
FILE_RIGHTS = (0, 13, 14, 15, 15, 16)  # how many rights on files each version of Landlock knows

_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def _call(name, *args):
    result = getattr(_libc, name)(*args)
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def no_new_privileges():
    """Let no program that is started have more rights than this process."""
    _call("prctl", 38, 1, 0, 0, 0)


def die_with_parent(parent):
    """Have the system kill this process when the thread that started it ends."""
    _call("prctl", 1, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(0)


def drop_capabilities():
    """Be an ordinary process, also as root."""
    for capability in range(64):
        _libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP; refused to those who have none
    _libc.prctl(47, 4, 0, 0, 0)  # PR_CAP_AMBIENT_CLEAR_ALL
    header = ctypes.create_string_buffer(struct.pack("<Ii", 0x20080522, 0), 8)
    _call("capset", header, ctypes.create_string_buffer(24))


def landlock_version() -> int:
    """Return the version of Landlock that the kernel has in force, 0 for none."""
    if not seccomp.supported():
        return 0
    return max(0, _libc.syscall(444, None, ctypes.c_size_t(0), 1))


class Fence:
    """A Landlock ruleset: files that may be used, and nothing else.

    Parameters
    ----------
    rights : int or None
        The rights to take away except where they are given; all that the kernel knows by default.
    network : bool
        Whether TCP is left alone.
    """

    def __init__(self, rights=None, network=False):
        version = landlock_version()
        if version == 0:
            raise OSError("Landlock is not in force")
        known = (1 << FILE_RIGHTS[min(version, 5)]) - 1
        self._rights = known if rights is None else rights & known
        attributes = struct.pack("<QQQ", self._rights, 0 if network else 3, 3)  # files; bind, connect; sockets, signals
        size = 8 if version < 4 else 16 if version < 6 else 24
        self._fd = _call("syscall", 444, attributes, ctypes.c_size_t(size), 0)

    def allow(self, path, rights):
        """Give rights on a file, or on all below a folder. A path that does not exist is passed over."""
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except (FileNotFoundError, PermissionError):
            return
        try:
            if not os.path.isdir(path):
                rights &= ON_FILES
            _call("syscall", 445, self._fd, 1, struct.pack("<Qi", rights & self._rights, fd), 0)
        finally:
            os.close(fd)

    def close_behind(self):
        """Put the ruleset in force."""
        _call("syscall", 446, self._fd, 0)
        os.close(self._fd)


def fence(policy) -> None:
    """Put a policy in force: ``read``, ``list``, ``write`` (paths), ``devices`` (paths), ``serve`` (bool)."""
    found = Fence(network=policy.get("serve", False))
    for path in policy["read"]:
        found.allow(path, READ)
    for path in policy["list"]:
        found.allow(path, READ_DIR)
    for path in policy["write"]:
        found.allow(path, SERVE if policy.get("serve") else WRITE)
    for path in policy["devices"]:
        found.allow(path, READ_FILE | WRITE_FILE)
    found.close_behind()


def keep_to(folder) -> None:
    """Within what may be written at all, write below one folder only (where the kernel can say so).

    The folder itself stays where it is: to move it would be to remove it from the folder above.
    """
    if landlock_version():
        found = Fence(~(READ | IOCTL_DEV))
        found.allow(folder, WRITE)
        found.allow(os.devnull, WRITE_FILE)
        found.close_behind()


@functools.cache
def _program(serving):
    return seccomp.program(seccomp.ANY_PID, serving)


def prepare() -> None:
    """Do beforehand what is the same for every fork."""
    _program(False)


def filter_calls(pid, serving=False) -> None:
    """Refuse all system calls but those that computing needs."""
    ours, own = struct.pack("<I", seccomp.ANY_PID), struct.pack("<I", pid)
    seccomp.install(_program(serving).replace(ours, own), _libc)
