"""What student code finds around itself on the page, and what it left changed: one process holds both of us here.

`attnlab check` runs a submission in a process of its own. In a browser there is only this one, so that whatever the
student's code does to NumPy, to builtins or to the system's modules is put back whenever ours goes on, and put in force
again whenever the student's does. That keeps accidents apart. It is no wall: a page's checks are for learning.
"""

import contextlib
import gc
import io
import operator
import os
import sys
import types
import warnings

import numpy as np

from ..sandbox.agent.calling import LABELS
from ..sandbox.agent.loading import _Bystander, _Closed
from ..sandbox.answers import signal_name

HERE = ("attnlab", "__main__", "submission")
IGNORED = ("__warningregistry__", "__cached__")
MISSING = object()
FAR = ("sys", "js", "pyodide_js", "_pyodide_core", "threading", "warnings")  # change by themselves
KEPT_OPEN = 2  # the last of the standard descriptors: the browser's own channels stand behind them
CHANNEL = 4  # the descriptor over which a process of `attnlab check` answers: it is lost with it
_real_frame = sys._getframe
_all, _is, _is_instance, _len, _map = all, operator.is_, isinstance, len, map  # students' code may replace builtins


class Ended(BaseException):
    """Student code asked the system to end the process. `how` is ``exit`` or the name of a signal."""

    def __init__(self, how: str):
        super().__init__(how)
        self.how = how


class Edge:
    """Stands where the student's own frames end."""

    f_back = None
    f_lineno = 0

    def __init__(self):
        self.f_locals, self.f_globals, self.f_builtins = {}, {}, {}
        self.f_code = _real_frame(0).f_code


class Nowhere(io.TextIOBase):
    """Takes what is printed; gives nothing to read."""

    def write(self, text):
        return len(text)

    def readable(self):
        return True

    def readline(self, size=-1):
        return ""


class Surroundings:
    """The state of the process before student code, and what that code makes of it.

    Attributes
    ----------
    clean : bool
        Whether everything is as it was.
    ended : str or None
        How student code ended the process, or would have.
    """

    def __init__(self):
        self.clean, self.ended = True, None
        self._before = {
            name: (vars(module), dict(vars(module)))
            for name, module in list(sys.modules.items())
            if isinstance(module, types.ModuleType) and name not in FAR and name.partition(".")[0] not in HERE[1:]
        }
        self._patches: list[tuple[dict, str, object]] = []
        self._limit = sys.getrecursionlimit()

    @contextlib.contextmanager
    def theirs(self, out=None, err=None, course=False):
        """Let student code run in the surroundings that it has made for itself.

        Parameters
        ----------
        out, err : file, optional
            Where it prints; nowhere by default.
        course : bool
            Whether it may import this package.
        """
        modules, path, finders = dict(sys.modules), sys.path[:], sys.meta_path[:]
        streams = sys.stdin, sys.stdout, sys.stderr
        environment, folder, collects = dict(os.environ), os.getcwd(), gc.isenabled()
        limit = sys.getrecursionlimit()
        if not course:
            _hide_the_course()
        sys.stdin, sys.stdout, sys.stderr = Nowhere(), out or Nowhere(), err or Nowhere()
        self._apply()
        self._guarded = self._guard(not course)
        with contextlib.suppress(RecursionError, ValueError):
            sys.setrecursionlimit(self._limit)
        try:
            with warnings.catch_warnings(), np.errstate():
                yield
        finally:
            self._limit = sys.getrecursionlimit()
            sys.setrecursionlimit(limit)
            sys.settrace(None)
            sys.setprofile(None)
            _put_back(self._guarded)
            self._take_back()
            sys.stdin, sys.stdout, sys.stderr = streams
            finding = [finder for finder in sys.meta_path if not isinstance(finder, _Closed)]
            same = sys.path == path and [finder for finder in finding if finder in finders] == finders
            same = same and environment.items() <= os.environ.items()  # what libraries add is no change
            sys.path[:], sys.meta_path[:] = path, finding if same else finders
            if not same or self._limit != limit or os.getcwd() != folder or gc.isenabled() != collects:
                self.clean = False
                os.environ.clear()
                os.environ.update(environment)
                os.chdir(folder)
                (gc.enable if collects else gc.disable)()
            self._restore_modules(modules, course)

    def forget(self) -> None:
        """Drop what student code has changed, as in a new process."""
        self._patches, self._limit = [], sys.getrecursionlimit()

    @contextlib.contextmanager
    def ours(self):
        """Let our own code run for a moment while the student's waits for its answer."""
        _put_back(self._guarded)
        self._take_back()
        try:
            yield
        finally:
            self._apply()
            self._guarded = self._guard(True)

    @property
    def builtins_touched(self) -> bool:
        """Whether a builtin is not what it was: then hardly anything of ours can be trusted to work."""
        now, before = self._before["builtins"]
        return not _same(now, before)

    # --- what was changed ---------------------------------------------------------------------------------------------

    def _apply(self):
        for namespace, name, value in self._patches:
            if value is MISSING:
                namespace.pop(name, None)
            else:
                namespace[name] = value

    def _take_back(self):
        self._patches = [patch for now, before in self._before.values() for patch in _differences(now, before)]
        for namespace, name, _ in self._patches:
            self.clean = False
            before = next(before for now, before in self._before.values() if now is namespace)
            if name in before:
                namespace[name] = before[name]
            else:
                del namespace[name]

    def _restore_modules(self, modules, course):
        now = sys.modules
        for name in [n for n in now if n.partition(".")[0] == "attnlab" or n == "google.colab"]:
            if name not in modules and not course:
                del now[name]
        for name, module in modules.items():
            if now.get(name) is not module:
                self.clean = self.clean and name.partition(".")[0] in HERE
                now[name] = module

    # --- what would end the process -----------------------------------------------------------------------------------

    def _guard(self, blind):
        """Take note of calls that would end the process and, if `blind`, see to it that none look beyond their code."""

        def end(how):
            self.ended = self.ended or how
            raise Ended(how)

        def lost_with(fd):
            if fd == CHANNEL and not _is_open(fd):  # nor has the student opened a file there
                end("exit")

        def close(fd):
            lost_with(fd)
            if fd > KEPT_OPEN:
                real_close(fd)

        def write(fd, data):
            lost_with(fd)
            return real_write(fd, data)

        def closerange(first, last):
            if first <= CHANNEL < last:
                lost_with(CHANNEL)
            real_closerange(max(first, KEPT_OPEN + 1), last)

        real_close, real_write, real_closerange = os.close, os.write, os.closerange
        guarded = [
            (os, "_exit", lambda status=0: end("exit")),
            (os, "abort", lambda: end("SIGABRT")),
            (os, "kill", lambda pid, number: end(signal_name(int(number)))),
            (os, "close", close),
            (os, "write", write),
            (os, "closerange", closerange),
        ]
        if blind:
            guarded += [
                (sys, "_getframe", _frame),
                (gc, "get_objects", lambda generation=None: []),
                (gc, "get_referrers", lambda *objects: []),
            ]
        found = [(module, name, getattr(module, name, MISSING)) for module, name, _ in guarded]
        for module, name, function in guarded:
            setattr(module, name, function)
        return found


def _put_back(guarded):
    for module, name, function in guarded:
        if function is MISSING:
            delattr(module, name)
        else:
            setattr(module, name, function)


def _is_open(fd):
    try:
        os.fstat(fd)
    except OSError:
        return False
    return True


def _frame(depth=0):
    """Stand in for ``sys._getframe``: the student's frames and those of libraries that they call, and no others."""
    frame = _real_frame(1)
    for _ in range(depth):
        frame = frame.f_back
        if frame is None:
            raise ValueError("call stack is not deep enough")
    seen = frame
    while seen is not None:
        if seen.f_code.co_filename in LABELS:
            return frame
        seen = seen.f_back
    return Edge()


def _hide_the_course():
    for name in [name for name in sys.modules if name.partition(".")[0] == "attnlab"]:
        del sys.modules[name]
    sys.modules |= {name: _Bystander(name) for name in ("attnlab", "google.colab")}
    sys.meta_path.insert(0, _Closed())


def _same(now, before):
    return _len(now) == _len(before) and _all(_map(_is, now.values(), before.values()))


def _differences(now, before):
    """Yield what in a module's names is not what it was; a submodule that was imported meanwhile is no change."""
    if _same(now, before):
        return
    for name in {**before, **now}:
        value = now.get(name, MISSING)
        if value is before.get(name, MISSING) or name in IGNORED:
            continue
        if name not in before and _is_instance(value, types.ModuleType):
            continue
        if name.startswith("_") and name in before and before[name] is None:
            continue  # a cache that is filled when first needed
        yield now, name, value
