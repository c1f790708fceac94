"""The loop of the student's process: a ``load`` frame, then ``run`` frames, answered case by case."""

import functools
import io
import os
import select
import signal
import sys
import threading

import numpy as np

try:
    import resource
except ImportError:  # Windows has none
    resource = None

from . import guard
from .calling import describe_error, is_changed, plain, quiet, run_case
from .loading import close_the_course, load, own_functions, survey
from .standins import stand_ins
from .wire import frame, pack, read_frame, unpack

# Student code may replace these names on their modules; the agent keeps its own.
_fork = getattr(os, "fork", None)
_waitpid = getattr(os, "waitpid", None)
_exit, _open, _read, _close, _write = os._exit, os.open, os.read, os.close, os.write
_threads = threading.active_count
_ndarray = np.ndarray


def main(settings):
    """Serve over stdin and stdout, in a process that was started for one submission.

    Parameters
    ----------
    settings : dict
        ``fork``: whether each part gets a process of its own; ``rlimits``: see `limit`; ``growth``: bytes that may be
        held beyond what loading took (libraries may take much); ``readable``: all that may be read, with the current
        folder, which may be written to. Without it only the grader is protected.
    """
    limit(settings.get("rlimits", {}))
    receive, send = channel(os.dup(0), os.dup(1))
    hush()
    close_the_course()
    if "readable" in settings:
        guard.fence(settings["readable"], os.getcwd())
    else:
        guard.protect_grader()
    send(("ready", os.getpid()))
    serve(receive, send, settings.get("fork", False), settings.get("growth"))
    _exit(0)


def limit(rlimits):
    """Lower resource limits: ``{"AS": bytes, "CPU": seconds}``, named as in `resource`, where the system has them."""
    if resource is None:
        return
    for name, value in rlimits.items():
        number = getattr(resource, f"RLIMIT_{name}", None)
        if number is None:
            continue
        hard = resource.getrlimit(number)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(number, (value, value))
        except (OSError, ValueError):  # macOS knows RLIMIT_AS and refuses it
            continue


def hush():
    """Give the student's prints to nobody, and nothing to read."""
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)
    os.close(null)


def channel(fd_in, fd_out):
    """Return a stream of frames to read, and a function that sends one."""

    def send(value):
        data = memoryview(frame(value))
        while data:
            data = data[_write(fd_out, data) :]

    return io.BufferedReader(io.FileIO(fd_in, "rb")), send


def limit_growth(growth):
    """Lower the limit of memory to what is held by now and `growth` bytes more, where the system says what is held."""
    try:
        fd = _open("/proc/self/status", os.O_RDONLY)
    except OSError:
        return
    held = next((line for line in _read(fd, 1 << 14).splitlines() if line.startswith(b"VmData:")), None)
    _close(fd)
    if held is not None:
        limit({"DATA": int(held.split()[1]) * 1024 + growth})


def serve(receive, send, fork, growth=None):
    """Answer requests until the grader has no more."""
    grader = os.getppid()
    module = None
    while (data := read_frame(receive)) is not None:
        request = unpack(data)
        if request[0] == "load":
            _, name, folder, names, chunks, skip = request
            if folder:
                sys.path.insert(0, folder)
            sys.argv = [name]
            module, problems = load(name, folder, chunks, skip, lambda *at: send(("at", *at)))
            if growth is not None:
                limit_growth(growth)
            send(("loaded", survey(functools.partial(getattr, module), names), problems, own_functions(module)))
        elif request[0] == "call":
            with quiet():
                send(call(module, *request[1:]))
        elif not fork or _threads() > 1:  # a thread of the student's would not be there after a fork
            _run(module, receive, send, *request[1:])
            send(("end", request[1], 0))
        else:
            child = _fork()
            if child == 0:
                try:
                    _run(module, receive, send, *request[1:])
                    _exit(0)
                finally:
                    _exit(70)
            send(("end", request[1], _ending(child, receive, grader)))


def _run(module, receive, send, serial, function_name, n_outputs, cases, helpers):
    function = getattr(module, function_name, None)

    def ask(name, args):
        send(("ask", serial, name, args))
        return unpack(read_frame(receive))[1]

    with quiet(), stand_ins(module.__dict__, dict(helpers), ask):
        for number, (layout, calls) in enumerate(cases):
            send((serial, number, run_case(function, n_outputs, layout, calls)))


def call(module, serial, name, args, kwargs):
    """Return the answer to a plain call of a function of the student's; without `kwargs`, what the name stands for."""
    live = tuple(value.copy() if type(value) is _ndarray else value for value in args)
    try:
        found = getattr(module, name)
        if kwargs is None:
            value = (True, None) if callable(found) else (False, plain(found))
        else:
            value = plain(found(*live, **kwargs))
        pack(value)
    except BaseException as error:  # whatever a student's function raises, SystemExit included, is its result
        return (serial, *describe_error(error))
    changed = (i for i, (a, b) in enumerate(zip(args, live, strict=True)) if is_changed(a, b))
    return (serial, "value", value, tuple((i, live[i]) for i in changed if live[i].shape == args[i].shape))


def _ending(child, receive, grader):
    """Wait for a forked child and return its status; if the grader is gone meanwhile, end the child and ourselves."""
    try:
        watched = os.pidfd_open(child)
    except (AttributeError, OSError):
        return _waitpid(child, 0)[1]
    poll = select.poll()
    poll.register(watched, select.POLLIN)
    poll.register(receive, 0)  # only its being hung up counts: what comes over it is for the child
    while watched not in dict(poll.poll()):
        if os.getppid() != grader:
            os.kill(child, signal.SIGKILL)
            _exit(0)
    os.close(watched)
    return _waitpid(child, 0)[1]
