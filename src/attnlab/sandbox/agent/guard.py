"""What Python itself can refuse to student code, by an audit hook. For the systems that offer nothing stronger.

This stops accidents and plain attempts, on every system. It is no wall: who means to can get round it.
"""

import os
import shutil
import signal
import sys

REFUSED = (
    "ctypes.", "fcntl.", "ftplib.", "msvcrt.", "pty.", "resource.", "socket.", "sqlite3.", "subprocess.",
    "syslog.", "winreg.", "webbrowser.", "os.chflags", "os.chown", "os.exec", "os.fork", "os.kill",
    "os.link", "os.lockf", "os.posix_spawn", "os.removexattr", "os.setxattr", "os.spawn", "os.startfile",
    "os.symlink", "os.system", "os.truncate", "signal.pthread_kill", "_winapi.",
)  # fmt: skip
# refused outside the folder that may be written to: how many paths come first, and where descriptors of folders stand
ON_PATHS = {
    "os.remove": (1, (1,)), "os.rmdir": (1, (1,)), "os.rename": (2, (2, 3)), "os.mkdir": (1, (2,)),
    "os.chmod": (1, (2,)), "os.utime": (1, (3,)),
}  # fmt: skip
LISTINGS = ("os.listdir", "os.scandir", "os.walk")
UNAUDITED = (
    "copy_file_range", "inotify_init", "mkfifo", "mknod", "nice", "pidfd_open", "pidfd_send_signal", "process_vm_readv",
    "sched_setaffinity", "sched_setparam", "sched_setscheduler", "setns", "setpgid", "setpgrp", "setpriority", "setsid",
    "setuid", "setgid", "setreuid", "setresuid", "unshare", "chroot", "memfd_create", "fork1",
)  # fmt: skip
WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_realpath, _fsdecode, _sep, _null = os.path.realpath, os.fsdecode, os.sep, os.devnull


def protect_grader() -> None:
    """Refuse to signal the process that grades, or everybody. All else is left alone."""
    grader = os.getppid()
    group = os.getpgid(grader) if hasattr(os, "getpgid") else grader
    refused = {"os.kill": (grader, -group, -1), "os.killpg": (group,)}

    def hook(event, args):
        if event in refused and args[0] in refused[event]:
            raise PermissionError("a submission may not signal the process that checks it")

    sys.addaudithook(hook)


def fence(readable, scratch) -> None:
    """Refuse to read outside some folders, to write outside `scratch`, and to reach any other process or machine."""
    import ctypes  # noqa: F401 - who imports it later would be refused what its own import does

    roots = (*map(_realpath, readable), _realpath(scratch))
    own = _realpath(scratch)

    def below(path, folders):
        if isinstance(path, int) or path is None:
            return True
        real = _realpath(_fsdecode(path))
        return real == _null or any(real == folder or real.startswith(folder + _sep) for folder in folders)

    def hook(event, args):
        if event == "open":
            flags = args[2] or 0
            if not below(args[0], (own,) if flags & WRITES else roots):
                raise PermissionError(f"a submission may not open {args[0]!r}")
        elif event in ON_PATHS:
            count, folders = ON_PATHS[event]
            inside = all(not isinstance(path, int) and below(path, (own,)) for path in args[:count])
            if not inside or any(args[place] != -1 for place in folders):
                raise PermissionError(f"{event} is not allowed to submissions outside their own folder")
        elif event in LISTINGS:
            if not below(args[0] or ".", roots):
                raise PermissionError(f"a submission may not list {args[0]!r}")
        elif event == "import":
            if args[1] is not None and not below(args[1], roots[:-1]):
                raise PermissionError("a submission may not load native code")
        elif event.startswith(REFUSED):
            raise PermissionError(f"{event} is not allowed to submissions")

    shutil._use_fd_functions = False  # such calls name no whole path
    for module in (os, signal, sys.modules.get("posix"), sys.modules.get("nt"), sys.modules.get("_signal")):
        for name in UNAUDITED:
            if module is not None:
                vars(module).pop(name, None)
    sys.addaudithook(hook)
