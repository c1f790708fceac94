"""Cases: drawn once from a lab's strategies with a seed, judged by the oracle, kept in one compact file, replayed."""

import hashlib
import json
import zlib
from dataclasses import replace
from functools import cache
from importlib import import_module, resources

import numpy as np

from ..labs.model import Case, Lab, Output, Part, Raises

CASES_FILE = "cases.bin"
VISIBLE_SEED = 20170612  # the day "Attention Is All You Need" appeared; every student gets these cases


def with_expected(lab: Lab, case: Case) -> Case:
    """Return `case` with what the oracle says to each of its calls, and how far from it an answer may be."""
    part = lab.part(case.check.partition(".")[0])
    expected = tuple(_answer(part, part.oracle(*args)) for args in case.calls)
    allowed = tuple(
        tuple(tolerance(part, args, e) for e in outputs) for args, outputs in zip(case.calls, expected, strict=True)
    )
    return replace(case, expected=expected, tolerances=allowed)


def _answer(part: Part, outputs: tuple) -> tuple:
    """Return what an oracle says in the form in which it is kept: numbers as arrays, but for exact ones."""
    if isinstance(outputs[0], Raises):
        return outputs
    return tuple(_kept(output, value) for output, value in zip(part.outputs, outputs, strict=True))


def _kept(output: Output, value):
    if value is None:
        return None
    return int(value) if output.dtype == "integer" else np.asarray(value)


def tolerance(part: Part, args: tuple, expected) -> float:
    """Return the absolute tolerance for one output: it follows the dtype of the inputs and the size of the answer."""
    if isinstance(expected, int):
        return 0.0
    single = any(a.dtype == np.float32 for a in arrays_in(args))
    base = 2e-5 + 1e-6 * part.score_scale(*args) if single else 1e-6
    if not isinstance(expected, np.ndarray):
        return base
    return base * max(1.0, float(np.abs(expected[np.isfinite(expected)]).max(initial=0.0)))


def arrays_in(value) -> list[np.ndarray]:
    """Return the arrays among arguments, those in lists and tuples included."""
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in arrays_in(item)]
    return [value] if isinstance(value, np.ndarray) else []


def size(args: tuple) -> int:
    """Return how large a call is, to find the smallest: entries and axes of its arrays, and its whole numbers."""
    whole = sum(abs(value) for value in args if type(value) is int)
    return sum(array.size + array.ndim for array in arrays_in(args)) + whole


def draw(
    lab: Lab, seed: int, parts: tuple[str, ...] | None = None, hidden: bool = False
) -> dict[str, tuple[Case, ...]]:
    """Draw the cases of a lab (of some of its parts): at least one from each strategy, the same for the same seed."""
    strategies = lab.strategies()
    drawn = {}
    for check in lab.checks:
        if parts is None or check.part in parts:
            cases = [
                strategy.draw(check.id, zlib.crc32(f"{seed}/{check.id}/{strategy.name}/{number}".encode()))
                for strategy in strategies[check.id]
                for number in range(strategy.cases)
            ]
            drawn[check.id] = tuple(replace(with_expected(lab, case), hidden=hidden) for case in cases)
    return drawn


def visible(lab: Lab) -> dict[str, tuple[Case, ...]]:
    """Return the cases that students see, from the file shipped with the lab."""
    return _visible(lab.name, lab.folder.joinpath(CASES_FILE).read_bytes())


@cache
def _visible(name, data):
    return unpack(data)[1]


def fingerprint(lab: Lab) -> str:
    """Digest of the sources that decide a lab's cases, to see whether the shipped file is in step with them."""
    digest = hashlib.sha256()
    for path in (*_sources(lab.folder), resources.files(import_module("attnlab.labs")) / "drawing.py"):
        digest.update(path.name.encode() + path.read_text(encoding="utf-8").encode())
    return digest.hexdigest()


def _sources(folder):
    """Yield the modules of a lab that have a say in its cases, in a fixed order."""
    for path in sorted(folder.iterdir(), key=lambda p: p.name):
        if path.name in ("strategies.py", "oracle.py", "checks.py"):
            yield path
        elif path.name == "strategies" and path.is_dir():
            yield from sorted((p for p in path.iterdir() if p.name.endswith(".py")), key=lambda p: p.name)


def visible_file(lab: Lab) -> bytes:
    """Draw the visible cases and return the file to ship."""
    return pack(draw(lab, VISIBLE_SEED), fingerprint(lab))


def is_current(lab: Lab) -> bool:
    """Say whether the shipped file was drawn from the sources as they are."""
    try:
        return unpack(lab.folder.joinpath(CASES_FILE).read_bytes())[0] == fingerprint(lab)
    except (OSError, ValueError):
        return False


def pack(cases: dict[str, tuple[Case, ...]], mark: str) -> bytes:
    """Return cases as bytes: a JSON index, then all arrays end to end, compressed together."""
    buffer, offset = [], 0

    def entry(value):
        nonlocal offset
        if isinstance(value, (list, tuple)):
            return {type(value).__name__: [entry(item) for item in value]}
        if isinstance(value, Raises):
            return {"raises": [value.error, value.because, value.facts]}
        if not isinstance(value, np.ndarray):
            return value.item() if isinstance(value, np.generic) else value
        data = np.ascontiguousarray(value).tobytes()
        buffer.append(data)
        offset += len(data)
        return [value.dtype.str, offset - len(data), *value.shape]

    index = {
        "mark": mark,
        "cases": [
            [c.check, c.strategy, c.layout, [[entry(v) for v in call] for call in c.calls],
             [[entry(v) for v in call] for call in c.expected], c.tolerances]
            for group in cases.values() for c in group
        ],
    }  # fmt: skip
    head = json.dumps(index, separators=(",", ":")).encode()
    return zlib.compress(len(head).to_bytes(4, "little") + head + b"".join(buffer), 9)


def unpack(data: bytes) -> tuple[str, dict[str, tuple[Case, ...]]]:
    """Return the mark and the cases; ValueError if `data` is no such file."""
    try:
        raw = zlib.decompress(data)
        size = int.from_bytes(raw[:4], "little")
        index = json.loads(raw[4 : 4 + size])
    except zlib.error as error:
        raise ValueError("not a file of cases") from error
    start = 4 + size

    def array(value):
        if isinstance(value, dict):
            ((kind, items),) = value.items()
            return Raises(*items) if kind == "raises" else {"list": list, "tuple": tuple}[kind](map(array, items))
        if not isinstance(value, list):
            return value
        char, offset, *shape = value
        count = 1
        for n in shape:
            count *= n
        if not count:
            return np.empty(shape, char)
        return np.frombuffer(raw, char, count, start + offset).reshape(shape)

    cases = {}
    for check, strategy, layout, calls, expected, tolerances in index["cases"]:
        case = Case(
            check, strategy, tuple(tuple(map(array, call)) for call in calls), layout,
            tuple(tuple(map(array, call)) for call in expected), tuple(map(tuple, tolerances)),
        )  # fmt: skip
        cases.setdefault(check, []).append(case)
    return index["mark"], {check: tuple(group) for check, group in cases.items()}
