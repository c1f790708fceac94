"""A seccomp filter for student code: the system calls that computing needs, and none that reach another process.

Written out as BPF by hand: x86-64 and AArch64 need one page of numbers, no library has to be installed, and every rule
can be read here. Whatever is not allowed gives EPERM, so that Python raises PermissionError where the call was made.
"""

import ctypes
import os
import platform
import struct

EPERM, ENOSYS, EOPNOTSUPP = 1, 38, 95
ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}  # column of NUMBERS, AUDIT_ARCH_*

# Numbers of the system calls on x86-64 and AArch64, and 0 where there is no such call any more.
NUMBERS = {
    # data in open files, and files below what the file system lets be opened
    "read": (0, 63), "write": (1, 64), "readv": (19, 65), "writev": (20, 66), "pread64": (17, 67),
    "pwrite64": (18, 68), "close": (3, 57), "lseek": (8, 62), "fstat": (5, 80), "newfstatat": (262, 79),
    "stat": (4, 0), "lstat": (6, 0), "statx": (332, 291), "access": (21, 0), "faccessat": (269, 48),
    "faccessat2": (439, 439), "readlink": (89, 0), "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49),
    "openat": (257, 56), "open": (2, 0), "getdents64": (217, 61), "getdents": (78, 0), "unlink": (87, 0),
    "unlinkat": (263, 35), "mkdir": (83, 0), "mkdirat": (258, 34), "rmdir": (84, 0),
    "rename": (82, 0), "renameat": (264, 38), "renameat2": (316, 276), "ftruncate": (77, 46),
    "fsync": (74, 82), "fdatasync": (75, 83), "statfs": (137, 43), "fstatfs": (138, 44), "fadvise64": (221, 223),
    "dup": (32, 23), "dup2": (33, 0), "dup3": (292, 24), "pipe": (22, 0), "pipe2": (293, 59), "umask": (95, 166),
    "fcntl": (72, 25), "ioctl": (16, 29), "eventfd2": (290, 19),
    "select": (23, 0), "pselect6": (270, 72), "poll": (7, 0), "ppoll": (271, 73), "epoll_create1": (291, 20),
    "epoll_create": (213, 0), "epoll_ctl": (233, 21), "epoll_wait": (232, 0), "epoll_pwait": (281, 22),
    # memory, threads
    "mmap": (9, 222), "munmap": (11, 215), "mprotect": (10, 226), "mremap": (25, 216), "madvise": (28, 233),
    "brk": (12, 214), "futex": (202, 98), "set_robust_list": (273, 99), "get_robust_list": (274, 100),
    "rseq": (334, 293), "set_tid_address": (218, 96), "arch_prctl": (158, 0), "membarrier": (324, 283),
    "clone": (56, 220), "clone3": (435, 435), "exit": (60, 93), "exit_group": (231, 94), "restart_syscall": (219, 128),
    # who and how much
    "gettid": (186, 178), "getpid": (39, 172), "getppid": (110, 173), "getuid": (102, 174), "geteuid": (107, 175),
    "getgid": (104, 176), "getegid": (108, 177), "getresuid": (118, 148), "getresgid": (120, 150),
    "getpgid": (121, 155), "getpgrp": (111, 0), "getsid": (124, 156), "getgroups": (115, 158), "uname": (63, 160),
    "sysinfo": (99, 179), "getrusage": (98, 165), "getrlimit": (97, 163), "prlimit64": (302, 261),
    "getcpu": (309, 168), "getpriority": (140, 141), "sched_yield": (24, 124), "sched_getaffinity": (204, 123),
    "sched_getparam": (143, 121), "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "prctl": (157, 167), "getrandom": (318, 278),
    # signals to oneself, time
    "rt_sigaction": (13, 134), "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "sigaltstack": (131, 132), "rt_sigsuspend": (130, 133), "pause": (34, 0),
    "kill": (62, 129), "tgkill": (234, 131), "wait4": (61, 260), "waitid": (247, 95),
    "nanosleep": (35, 101), "clock_nanosleep": (230, 115), "clock_gettime": (228, 113), "clock_getres": (229, 114),
    "gettimeofday": (96, 169), "time": (201, 0), "times": (100, 153), "getitimer": (36, 102), "setitimer": (38, 103),
    "alarm": (37, 0),
    # a pair of sockets with both ends in this process, and the channel to the grader
    "socketpair": (53, 199), "sendto": (44, 206), "recvfrom": (45, 207), "shutdown": (48, 210),
    "getsockopt": (55, 209), "getsockname": (51, 204), "getpeername": (52, 205),
}  # fmt: skip

# What a program needs besides that is called over sockets, a Jupyter kernel: it answers, and calls nobody.
SERVING = {
    "socket": (41, 198), "bind": (49, 200), "listen": (50, 201), "accept": (43, 202), "accept4": (288, 242),
    "setsockopt": (54, 208), "sendmsg": (46, 211), "recvmsg": (47, 212), "execve": (59, 221), "flock": (73, 32),
    "tkill": (200, 130),
}  # fmt: skip

# A program copies files with their rights and times, and ZeroMQ sets what its threads' priority is anyway; they fail if
# they cannot. Allowed, this would reach files that may not even be opened, so nothing is done and success is told.
PRETENDED = {"chmod": (90, 0), "fchmod": (91, 52), "fchmodat": (268, 53), "utimensat": (280, 88)}
PRETENDED_SERVING = {"sched_setscheduler": (144, 119), "sched_setparam": (142, 118)}

O_WRITES, O_TRUNC = 3, 0o1000
AF_UNIX, AF_INET, AF_INET6 = 1, 2, 10
SOCK_TYPE, SOCK_STREAM = 0xF, 1
MSG_FASTOPEN = 0x20000000  # sends to whom it was not connected
CLONE_THREAD, CLONE_NEW = 0x00010000, 0x7E020080  # every CLONE_NEW* flag
FCNTL = (0, 1030, 1, 2, 3, 4, 5, 6, 7)  # dup, flags and record locks: never F_SETOWN, which signals other processes
IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)  # terminal?, its size, bytes waiting, (non)blocking, cloexec
PRCTL = (15, 16, 0x53564D41)  # PR_SET_NAME, PR_GET_NAME, PR_SET_VMA

_LOAD, _EQUAL, _AT_LEAST, _RETURN, _AND = 0x20, 0x15, 0x35, 0x06, 0x54
_ALLOW, _KILL = 0x7FFF0000, 0x80000000


ANY_PID = 0x7FEDCBA9  # no process has this number: it stands for one that is not there yet


def supported() -> bool:
    """Say whether there is a table for this machine's processor."""
    return platform.system() == "Linux" and platform.machine() in ARCHITECTURES


def _instruction(code, value, true=0, false=0):
    return struct.pack("<HBBI", code, true, false, value)


def _errno(number):
    return _instruction(_RETURN, 0x00050000 | number)


_YES = _instruction(_RETURN, _ALLOW)


def _argument(number):
    return _instruction(_LOAD, 16 + 8 * number)  # the low half: the kernel reads these as 32 bits


def _one_of(number, values):
    """Allow if an argument is one of `values`."""
    tests = b"".join(_instruction(_EQUAL, value & 0xFFFFFFFF, 0, 1) + _YES for value in values)
    return _argument(number) + tests + _errno(EPERM)


def _masked(number, mask, values):
    """Allow if an argument has one of `values` under a mask."""
    tests = b"".join(_instruction(_EQUAL, value, 0, 1) + _YES for value in values)
    return _argument(number) + _instruction(_AND, mask) + tests + _errno(EPERM)


def _stream_of(families, refusal=EPERM):
    """Allow sockets of some families that carry streams: a datagram socket could write to whom it likes."""
    tests = b"".join(_instruction(_EQUAL, family, len(families) - i, 0) for i, family in enumerate(families))
    return _argument(0) + tests + _errno(refusal) + _masked(1, SOCK_TYPE, (SOCK_STREAM,))


def _opened(number):
    """Opening to read must not cut a file short, which Landlock before its third version lets happen."""
    return _masked(number, O_WRITES | O_TRUNC, (0, 1, 2, 1 | O_TRUNC, 2 | O_TRUNC))


def rules(pid, serving=False):
    """Return ``{name: BPF of what must hold of its arguments}``; a call with no entry is allowed as it is.

    Parameters
    ----------
    pid : int or None
        The only process that may be signalled.
    serving : bool
        Whether sockets may be answered over.
    """
    found = {
        "open": _opened(1),
        "openat": _opened(2),
        "fcntl": _one_of(1, FCNTL),
        "ioctl": _one_of(1, IOCTL),
        "prctl": _one_of(0, PRCTL),
        "prlimit64": _one_of(0, (0,)),
        "clone": _masked(0, CLONE_THREAD | CLONE_NEW, (CLONE_THREAD,)),
        "clone3": _errno(ENOSYS),  # its flags cannot be seen; the C library then uses clone
        "socketpair": _stream_of((AF_UNIX,)),
        "sendto": _masked(3, MSG_FASTOPEN, (0,)),
        **dict.fromkeys(PRETENDED, _errno(0)),
    }
    if serving:
        found["socket"] = _stream_of((AF_UNIX, AF_INET, AF_INET6), EOPNOTSUPP)  # which ZeroMQ takes from AF_NETLINK
        found |= dict.fromkeys(PRETENDED_SERVING, _errno(0))
        found["sendmsg"] = _masked(2, MSG_FASTOPEN, (0,))
    if pid is not None:
        found["kill"] = found["tgkill"] = _one_of(0, (pid,))
    return found


def program(pid, serving=False, machine=None) -> bytes:
    """Return the filter as BPF instructions."""
    column, architecture = ARCHITECTURES[machine or platform.machine()]
    names = NUMBERS | PRETENDED | (SERVING | PRETENDED_SERVING if serving else {})
    conditions = rules(pid, serving)
    lines = [
        _instruction(_LOAD, 4),
        _instruction(_EQUAL, architecture, 1, 0),
        _instruction(_RETURN, _KILL),
        _instruction(_LOAD, 0),
        _instruction(_AT_LEAST, 0x40000000, 0, 1),  # x32, the other numbering of x86-64
        _errno(EPERM),
    ]
    for name, numbers in names.items():
        number = numbers[column]
        if number == 0 and not (name == "read" and column == 0):
            continue
        block = conditions.get(name, _YES)
        lines += [_instruction(_EQUAL, number, 0, len(block) // 8), block]
    return b"".join([*lines, _errno(EPERM)])


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install(code: bytes, libc) -> None:
    """Put a filter in force for this process and all it starts, for good. Needs no_new_privs; OSError if refused."""
    holder = _Program(len(code) // 8, code)
    if libc.prctl(22, 2, ctypes.byref(holder), 0, 0) != 0:  # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
