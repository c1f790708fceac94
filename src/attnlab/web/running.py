"""Run on the page: a file, or a cell of the lesson after it, executed as a notebook would."""

import ast
import base64
import builtins
import io
import json
import linecache
import sys
import time
from collections.abc import Callable

from .. import texts
from ..magics import compiles, without_magics
from ..sandbox.agent.calling import LABELS
from . import threads
from .surroundings import Surroundings

MOST = 100_000  # characters of output shown
PIECE, PAUSE = 4000, 0.05  # output is handed on in pieces: so many characters, or after so many seconds;
# the first so many characters at once: what comes before an endless loop must be seen
MAX_VALUE = 20_000  # characters of a last value


class Printed(io.TextIOBase):
    """Hands on what is printed, in pieces, up to a limit; then counts only."""

    def __init__(self, stream: str, emit: Callable[[str, str], None], budget: list):
        self._stream, self._emit, self._budget = stream, emit, budget
        self._kept, self._size, self._told, self._sent = [], 0, time.monotonic(), 0

    def writable(self):
        return True

    def write(self, text):
        text = str(text)
        shown = text[: max(0, self._budget[0])]
        self._budget[0] -= len(text)
        if shown:
            self._kept.append(shown)
            self._size += len(shown)
            if self._sent < PIECE or self._size >= PIECE or time.monotonic() - self._told > PAUSE:
                self.flush()
        return len(text)

    def flush(self):
        if self._kept:
            text, self._kept, self._size = "".join(self._kept), [], 0
            self._told = time.monotonic()
            self._sent += len(text)
            self._emit(self._stream, texts.visible(text))


def run(source: str, label: str, lang: str, cell: str | None, emit) -> dict:
    """Run a file; then, if given, a cell: its preparation in silence, and itself.

    Parameters
    ----------
    source, label : str
        The student's file and its name.
    lang : str
    cell : str, optional
        As a page's data has it: JSON of its name, what must run before it, and its code.
    emit : callable
        ``emit(stream, text)``.
    """
    budget = [MOST]
    out, err = (Printed(stream, emit, budget) for stream in ("stdout", "stderr"))
    pieces = [(label, source if compiles(source) else without_magics(source), cell is None)]
    if cell is not None:
        name, before, code = json.loads(cell)
        pieces += [(f"{name} (set-up)", before, False), (name, code, True)]
    threads.provide([source])
    around = Surroundings()
    namespace = {"__name__": "__main__", "__builtins__": builtins}
    answer = {"ok": True, "error": None, "value": None, "html": None, "pictures": []}
    given = builtins.input
    for place, code, shown in pieces:
        streams = (out, err) if shown else (None, None)
        with around.theirs(*streams, course=True):
            builtins.input = _no_input(lang)
            try:
                value = _execute(code, place, namespace)
                if shown:
                    _show(value, answer)
            except BaseException as error:  # SystemExit, too, is something the reader should see
                answer |= {"ok": False, "error": _told(error, [name for name, _, _ in pieces], lang)}
            finally:
                builtins.input = given
        if not answer["ok"]:
            break
    out.flush()
    err.flush()
    if budget[0] < 0:
        emit("note", texts.say(lang, "web.too_long", {"count": -budget[0]}))
    answer["clean"] = around.clean and around.ended is None
    return answer


def _execute(source, label, namespace):
    """Execute a piece of source; return the value of its last line if that is an expression."""
    LABELS.add(label)
    linecache.cache[label] = (len(source), None, source.splitlines(True), label)
    tree = ast.parse(source, label)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, label, "exec", dont_inherit=True), namespace)
    if last is None:
        return None
    return eval(compile(ast.Expression(last.value), label, "eval", dont_inherit=True), namespace)


def _show(value, answer):
    """Note what a notebook would show: the last value, and the pictures that were drawn."""
    plot = sys.modules.get("matplotlib.pyplot")
    figures = [plot.figure(number) for number in plot.get_fignums()] if plot is not None else []
    figure = sys.modules.get("matplotlib.figure")
    if figure is not None and isinstance(value, figure.Figure):
        figures = [value, *(f for f in figures if f is not value)]
        value = None
    for drawn in figures:
        buffer = io.BytesIO()
        drawn.savefig(buffer, format="png", dpi=100)
        answer["pictures"].append(base64.b64encode(buffer.getvalue()).decode())
    if plot is not None:
        plot.close("all")
    if value is not None:
        answer["value"] = texts.visible(repr(value)[:MAX_VALUE])
        page = getattr(type(value), "_repr_html_", None)
        answer["html"] = str(page(value))[:MAX_VALUE] if page is not None else None


def _told(error, places, lang):
    """Describe an exception: its text, and the line of the reader's own code it came from, the innermost one."""
    place, line = "", 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename in places:
            place, line = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    if isinstance(error, SyntaxError) and error.filename in places:
        place, line = error.filename, error.lineno or 1
    try:
        text = str(error.msg if isinstance(error, SyntaxError) else error)
    except Exception:
        text = ""
    text = f"{type(error).__name__}: {text}" if text else type(error).__name__
    if isinstance(error, ModuleNotFoundError) and error.name:
        text = texts.say(lang, "web.no_package", {"name": error.name.partition(".")[0]})
    excerpt = linecache.getline(place, line).rstrip("\n") if place else ""
    return {"text": texts.visible(text[:2000]), "place": place, "line": line, "excerpt": texts.visible(excerpt[:200])}


def _no_input(lang):
    sentence = texts.say(lang, "web.no_input")

    def input(prompt=""):
        raise RuntimeError(sentence)

    return input
