"""A warm process from which each submission gets a fork of its own. It runs no student code and holds no one's data.

The grader asks over a socket: ``("fork", number, folder, rlimits)`` comes with the channel of the submission and is
answered with a file descriptor that stands for the new process; ``("reap", number)`` ends it and is answered with how
it ended. The zygote ends when the grader does: the socket then closes.
"""

import gc
import importlib
import os
import signal
import socket

from . import confine
from .loading import close_the_course
from .serving import channel, hush, limit, serve
from .wire import pack, unpack

WARM = (
    "collections", "dataclasses", "dis", "functools", "inspect", "itertools", "math", "numpy", "random",
    "resource", "time", "typing",
)  # fmt: skip
MAX_REQUEST = 1 << 16


def main(settings):
    """Serve forks until the grader goes.

    Parameters
    ----------
    settings : dict
        ``warm``: modules to hold; ``policy``: what `confine.fence` keeps to, or None where something outside has seen
        to that.
    """
    control = socket.socket(fileno=os.dup(0))
    hush()
    for name in (*WARM, *settings["warm"]):
        importlib.import_module(name)
    close_the_course()
    confine.no_new_privileges()
    confine.drop_capabilities()
    if settings["policy"] is not None:
        confine.fence(settings["policy"])
    confine.prepare()
    gc.collect()
    gc.freeze()
    control.sendall(pack(("ready",)))
    children = {}
    while True:
        data, fds, _, _ = socket.recv_fds(control, MAX_REQUEST, 1)
        if not data:
            for child in children.values():
                os.kill(child, signal.SIGKILL)
            os._exit(0)
        request = unpack(data)
        if request[0] == "fork":
            _, number, folder, rlimits = request
            zygote = os.getpid()
            child = os.fork()
            if child == 0:
                _become(control, fds[0], zygote, folder, dict(rlimits))
            os.close(fds[0])
            children[number] = child
            watched = os.pidfd_open(child)
            socket.send_fds(control, [pack(("forked", number))], [watched])
            os.close(watched)
        else:
            child = children.pop(request[1])
            os.kill(child, signal.SIGKILL)  # not yet waited for, so the number still means this process
            control.sendall(pack(("reaped", request[1], os.waitpid(child, 0)[1])))


def _become(control, fd, zygote, folder, rlimits):
    """Be a submission's process: give up what the zygote still had, and serve."""
    try:
        control.close()
        confine.die_with_parent(zygote)
        os.chdir(folder)
        confine.keep_to(folder)
        limit(rlimits)
        receive, send = channel(fd, fd)
        send(("ready", os.getpid()))
        confine.filter_calls(os.getpid())
        serve(receive, send, False)
    finally:
        os._exit(0)
