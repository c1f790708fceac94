"""Threads where there are none: in a browser Python cannot start any, so what they should do is done at once.

Right code that works through a batch with a pool of threads stays right; it is only no faster.
"""

import sys
import threading
from contextlib import suppress

MENTIONS = ("threading", "concurrent", "joblib", "multiprocessing")


def provide(sources) -> None:
    """Let threads and pools of threads work in their caller's own time, if the source seems to want any."""
    if sys.platform != "emscripten" or not any(word in source for source in sources for word in MENTIONS):
        return
    from concurrent.futures import thread

    threading.Thread.start = _start
    thread.ThreadPoolExecutor.submit = _submit


def _start(self):
    """Run what a thread was made for, instead of starting it."""
    if self._started.is_set():
        raise RuntimeError("threads can only be started once")
    self._started.set()
    with suppress(Exception, SystemExit):  # a thread's failure is no failure of who started it
        self.run()
    self._is_stopped = True


def _submit(self, fn, /, *args, **kwargs):
    """Do at once what would be queued."""
    from concurrent.futures import Future

    if self._shutdown:
        raise RuntimeError("cannot schedule new futures after shutdown")
    future = Future()
    future.set_running_or_notify_cancel()
    try:
        future.set_result(fn(*args, **kwargs))
    except BaseException as error:
        future.set_exception(error)
    return future
