"""Attacks on a tier, really made: what a submission must not do is tried each time before submissions run."""

import os
import socket
import tempfile
from collections.abc import Callable
from dataclasses import dataclass

from ..checking.target import Lost
from .host import Host
from .limits import Limits
from .remote import StudentError
from .tiers import Tier

# What the attacks run as. Each function returns True if it got what it must not get.
SOURCE = '''
import os, socket, subprocess, sys

def reads(path):
    with open(path, "rb") as file:
        return bool(file.read(1))

def writes(path):
    with open(path, "w") as file:
        file.write("x")
    return True

def removes(path):
    os.remove(path)
    return True

def connects(port):
    socket.create_connection(("127.0.0.1", port), 0.5).close()
    return True

def forks():
    child = os.fork()
    if child == 0:
        try:
            os.setsid()
        finally:
            os._exit(0)
    return True

def starts():
    subprocess.Popen([sys.executable, "-c", "pass"])
    return True

def signals(grader):
    os.kill(os.getppid() if grader == os.getpid() else grader, 0)
    return True

def allocates(count):
    return len(bytearray(count)) == count

def looks_into(grader):
    import ctypes
    c = ctypes.CDLL(None, use_errno=True)
    class Piece(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
    buffer = ctypes.create_string_buffer(8)
    here = Piece(ctypes.addressof(buffer), 8)
    there = Piece(id(None), 8)
    got = c.process_vm_readv(grader, ctypes.byref(here), 1, ctypes.byref(there), 1, 0) > 0
    return got or c.ptrace(16, grader, None, None) == 0 or reads(f"/proc/{grader}/maps")
'''
LIMITS = Limits(memory=1 << 30, start=30.0, load=10.0)


@dataclass(frozen=True)
class Attack:
    """One attack: the id of the words for it, and whether the tier held."""

    message: str
    held: bool

    @property
    def name(self) -> str:
        """One word, the same in every language."""
        return self.message.rpartition("_")[2]


def self_test(tier: Tier) -> tuple[Attack, ...]:
    """Attack a tier and say what held. Takes a fraction of a second."""
    with (
        tempfile.TemporaryDirectory(prefix="attnlab-test-") as folder,
        socket.create_server(("127.0.0.1", 0)) as listener,
        Host(tier, LIMITS, ("numpy",)) as host,
    ):
        secret, other = os.path.join(folder, "gradebook"), os.path.join(folder, "planted")
        with open(secret, "w", encoding="utf-8") as file:
            file.write("secret")
        target = host.target((("self test", SOURCE),), ())

        def tried(function, *args) -> bool:
            try:
                return target.call(function, args) is True
            except (StudentError, Lost):
                return False

        def made(function, path, done: Callable[[], bool]) -> bool:
            return tried(function, path) or done()

        me, port = os.getpid(), listener.getsockname()[1]
        try:
            found = (
                ("tier.attack_read", tried("reads", secret) or tried("reads", "/etc/passwd")),
                ("tier.attack_write", made("writes", other, lambda: os.path.exists(other))),
                ("tier.attack_remove", made("removes", secret, lambda: not os.path.exists(secret))),
                ("tier.attack_connect", tried("connects", port)),
                ("tier.attack_process", tried("forks") or tried("starts")),
                ("tier.attack_signal", tried("signals", me)),
                ("tier.attack_memory", tried("allocates", 4 * LIMITS.memory)),
                ("tier.attack_look", tried("looks_into", me)),
            )
            alive = target.call("reads", (os.devnull,)) is False  # an end of file: so it was not held by being dead
        except (StudentError, Lost):
            alive = False
        finally:
            target.close()
    if not alive:
        return (Attack("tier.attack_none", False),)
    return tuple(Attack(message, not got) for message, got in found)
