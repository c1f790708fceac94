"""How processes for grading are started: never as copies of the one that holds the gradebook, and early."""

import os
import signal
import sys
import threading
from contextlib import contextmanager
from multiprocessing import get_context, parent_process

PRELOADED = ["__main__", "attnlab.grading.worker", "attnlab.labs.drawing"]
THREADS = "OPENBLAS_NUM_THREADS"


@contextmanager
def deaf():
    """Hold Ctrl-C back for a moment, to be told of it afterwards; a process started meanwhile never hears of it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heard = []
    before = signal.signal(signal.SIGINT, lambda *_: heard.append(True))
    held = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if held is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, held)
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def context():
    """Return how workers are started: anew each, or, where that is safe, from a server that has read what they need.

    The server is started anew itself, so nothing of the gradebook is in its memory. On macOS, a fork of a process that
    has used the system's libraries may crash; there, as on Windows, there is no server.
    """
    if sys.platform != "linux":
        return get_context("spawn")
    found = get_context("forkserver")
    found.set_forkserver_preload(PRELOADED)
    return found


def prepare() -> None:
    """Start the server, where there is one; it reads what workers need while this process goes on."""
    if sys.platform != "linux" or parent_process() is not None:
        return
    from multiprocessing.forkserver import ensure_running

    context()
    before = os.environ.get(THREADS)
    os.environ[THREADS] = "1"  # workers side by side have a processor each
    try:
        with deaf():
            ensure_running()
    finally:
        if before is None:
            del os.environ[THREADS]
        else:
            os.environ[THREADS] = before
