"""What a contract may demand beside arrays: exceptions, None, whole numbers, new arrays, little memory."""

import re
from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from attnlab import labs, texts
from attnlab.checking import cases as drawn
from attnlab.checking import compare, engine
from attnlab.emit import as_json, html
from attnlab.emit.terminal import show
from attnlab.emit.words import Words
from attnlab.labs.model import Case, Check, Output, Part, Raises
from attnlab.sandbox.here import HereTarget
from attnlab.sandbox.process import ProcessTarget

ROWS = np.arange(6.0).reshape(2, 3)  # (2, 3)
OTHER_ROWS = np.arange(6.0, 12.0).reshape(2, 3)  # (2, 3)
LONG = np.arange(800.0).reshape(2, 400) / 8  # (2, 400)
BECAUSE = "title.softmax.values"  # any sentence will do


def halves(x, n):
    if n < 1 or x.shape[-1] % n:
        return (Raises("ValueError", BECAUSE, {"n": n}),)
    return (x.reshape(*x.shape[:-1], n, -1),)


def union(*masks):
    masks = [mask for mask in masks if mask is not None]
    return (np.logical_or.reduce(np.broadcast_arrays(*masks)) if masks else None,)


def first(x):
    return (np.broadcast_to(x[..., :1], x.shape),)


def total(blocks, pair):
    return (sum(blocks) + pair[0] * pair[1],)


def three(x):
    return x, 2 * x, 3 * x


KINDS = {
    "raises": (
        Part("softmax", "f", ("x", "n"), (Output("parts"),), halves),
        [(ROWS, 3), (ROWS, 2), (ROWS, 0)],
        "    if n < 1 or x.shape[-1] % n:\n        raise ValueError('no')\n    return x.reshape(*x.shape[:-1], n, -1)",
    ),
    "variadic": (
        Part("softmax", "f", ("*masks",), (Output("mask", "bool"),), union),
        [(), (None,), (ROWS > 2,), (ROWS > 2, None, np.array([True, False, False]))],
        "    out = None\n    for m in x:\n        out = m if out is None else out if m is None else out | m\n"
        "    return out",
    ),
    "integer": (
        Part("softmax", "f", ("x", "n"), (Output("size", "integer"),), lambda x, n: (x * 10**n,)),
        [(3, 0), (7, 5), (9, 40)],
        "    return x * 10**n",
    ),
    "scalar": (
        Part("softmax", "f", ("x", "mode"), (Output("total"),), lambda x, mode: (float(getattr(np, mode)(x)),)),
        [(ROWS, "sum"), (ROWS, "max"), (ROWS.astype(np.int64), "min")],
        "    return getattr(np, n)(x)",
    ),
    "three": (
        Part("softmax", "f", ("x",), (Output("a"), Output("b"), Output("c")), three),
        [(ROWS,), (OTHER_ROWS,)],
        "    return [x, 2 * x, 3 * x]",
    ),
    "broadcast": (
        Part("softmax", "f", ("x",), (Output("gate", broadcasts=True),), first),
        [(ROWS,), (OTHER_ROWS,)],
        "    return x[..., :1]",
    ),
    "nested": (
        Part("softmax", "f", ("blocks", "pair"), (Output("total"),), total),
        [([ROWS, OTHER_ROWS], (2, 3.5)), ([ROWS], (1, 0.0))],
        "    return sum(x, n[0] * n[1])",
    ),
    "infinite": (
        Part("softmax", "f", ("x",), (Output("top"),), lambda x: (np.where(x > 2, -np.inf, x),)),
        [(ROWS,), (OTHER_ROWS,)],
        "    return np.where(x > 2, -np.inf, x)",
    ),
}
HEADS = {1: "x", 2: "x, n"}


def lab_of(part, **check):
    """Return a lab of one part with one check."""
    checks = (Check("softmax.values", "softmax", 1.0, "idea", **check),)
    return replace(labs.get(labs.LABS[0]), parts=(part,), checks=checks, observe=None)


def cases_of(lab, calls, layout="plain", repeated=True):
    """Return the cases of a lab's one check: each of `calls` twice, packed and unpacked as if shipped."""
    made = tuple(
        drawn.with_expected(lab, Case("softmax.values", f"idea {n}", (call, call) if repeated else call, layout))
        for n, call in enumerate(calls)
    )
    return drawn.unpack(drawn.pack({"softmax.values": made}, "mark"))[1]


def source_of(kind, body=None):
    """Return a student's file with the function `f`."""
    part, _, right = KINDS[kind]
    head = "*x" if part.variadic else HEADS[len(part.inputs)]
    return f"import numpy as np\n\n\ndef f({head}):\n{right if body is None else body}\n"


def judged(lab, cases, source, process=False):
    """Return the report on a file, from a process of its own if asked for."""
    if process:
        target = ProcessTarget([("student.py", source)], lab.functions)
    else:
        namespace = {}
        exec(source, namespace)
        target = HereTarget({"f": namespace["f"]})
    try:
        return engine.check(lab, target, cases, shrink=False, explain=False)
    finally:
        target.close()


def told(report, lang="en"):
    """Return the message of the one check, after showing the report in every way there is."""
    words = Words(report, lang)
    assert html.card(words, report.parts[0])
    assert as_json.dumps(report, lang)
    return words.message(report.parts[0].checks[0])


@pytest.mark.parametrize("process", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize("kind", KINDS)
def test_right_answers_of_every_kind_pass(kind, process):
    part, calls, _ = KINDS[kind]
    lab = lab_of(part)
    report = judged(lab, cases_of(lab, calls), source_of(kind), process)
    assert report.passed, told(report)


WRONG = [
    ("raises", "    return x.reshape(*x.shape[:-1], 3, -1)", "should raise ValueError here: .*It returned without one"),
    ("raises", "    raise TypeError('why')", "has no part|stopped with TypeError"),
    ("raises", "    if x.shape[-1] % max(n, 1) or n < 1:\n        raise TypeError('my words')\n"
               "    return x.reshape(*x.shape[:-1], n, -1)", "raised TypeError instead: my words"),
    ("raises", "    raise ValueError('always')", "stopped with ValueError"),
    ("raises", "    raise NotImplementedError()", "still to be written"),
    ("variadic", "    return np.ones((2, 3), bool)", "`mask` should be None"),
    ("variadic", "    return x[0] if x and 0 else None", "returned None"),
    ("integer", "    return float(x * 10**n)", "exact whole number"),
    ("integer", "    return int(float(x) * 10.0**n)", "it should be 9000000"),
    ("integer", "    return True", "exact whole number"),
    ("integer", "    return [x * 10**n]", "has shape"),
    ("integer", "    return '3'", "should be a NumPy array|is a str"),
    ("integer", "    print(x)", "returned None"),
    ("scalar", "    return [x.sum()]", "has shape"),
    ("scalar", "    return x.sum()", "`total` is 15; it should be 5."),
    ("three", "    return x, x, x", "`c"),
    ("three", "    return x, 2 * x", "3 things"),
    ("broadcast", "    return x", "it should be"),
    ("broadcast", "    return x[..., :2]", "or a shape that broadcasts to it"),
    ("broadcast", "    return x[None, ..., :1]", "or a shape that broadcasts to it"),
    ("nested", "    x.append(0)\n    return sum(x, n[0] * n[1])", "changed its input `blocks`"),
    ("nested", "    x[0] *= 1.5\n    return sum(x, n[0] * n[1])", "it should be|changed its input"),
    ("nested", "    out = sum(x, n[0] * n[1])\n    x[0][0, 0] = 7\n    return out", "changed its input `blocks`"),
    ("infinite", "    return np.where(x > 2, np.inf, x)", "should be -inf"),
    ("infinite", "    return np.where(x > 2, np.nan, x)", "is NaN; it should be -inf"),
    ("infinite", "    return np.where(x > 2, -1e300, x)", "should be -inf"),
]  # fmt: skip


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize(("kind", "body", "words"), WRONG)
def test_wrong_answers_of_every_kind_are_told_in_both_languages(kind, body, words, lang):
    part, calls, _ = KINDS[kind]
    lab = lab_of(part)
    report = judged(lab, cases_of(lab, calls), source_of(kind, body))
    assert not report.passed
    message = told(report, lang)
    assert lang != "en" or re.search(words, message), message


@pytest.mark.parametrize("process", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize(
    "error", ["class E(ValueError): pass", "E = UnicodeError", "class E(KeyError, ValueError): pass"]
)
def test_a_special_kind_of_the_demanded_exception_is_as_good(error, process):
    part, calls, _ = KINDS["raises"]
    lab = lab_of(part)
    body = "    if n < 1 or x.shape[-1] % n:\n        raise E('no')\n    return x.reshape(*x.shape[:-1], n, -1)"
    report = judged(lab, cases_of(lab, calls), f"{error}\n{source_of('raises', body)}", process)
    assert report.passed, told(report)


def test_a_call_behind_a_demanded_exception_is_judged_as_well():
    lab = lab_of(KINDS["raises"][0])
    cases = cases_of(lab, [((ROWS, 2), (ROWS, 3))], repeated=False)
    late = "    if n != 3:\n        raise ValueError\n    return x"
    assert judged(lab, cases, source_of("raises")).passed
    assert judged(lab, cases, source_of("raises", late)).parts[0].checks[0].fault.call == 1


def test_a_stub_that_returns_none_is_to_do_though_exceptions_are_demanded():
    part, calls, _ = KINDS["raises"]
    lab = lab_of(part)
    assert judged(lab, cases_of(lab, calls), source_of("raises", "    pass")).parts[0].status == "todo"


COPY = Part("softmax", "f", ("x",), (Output("copy"),), lambda x: (x,))


@pytest.mark.parametrize("process", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize(
    ("body", "fresh", "passes"),
    [
        ("return x", True, False),
        ("return x[...]", True, False),
        ("return x.copy()", True, True),
        ("return x", False, True),
    ],
)
def test_a_result_that_shares_memory_with_its_input_is_wrong_only_where_a_new_one_is_demanded(
    body, fresh, passes, process
):
    lab = lab_of(COPY, fresh=fresh)
    cases = cases_of(lab, [((ROWS,), (OTHER_ROWS,))], "refill", repeated=False)
    report = judged(lab, cases, f"def f(x):\n    {body}\n", process)
    assert report.passed is passes
    assert passes or "should return a new array" in told(report)


def test_an_array_that_can_no_longer_be_filled_is_the_student_s_fault_and_no_accident():
    lab = lab_of(COPY)
    cases = cases_of(lab, [((ROWS,), (OTHER_ROWS,))], "refill", repeated=False)
    for spoil in ("x.shape = (6,)", "x.setflags(write=False)", "x.dtype = np.int64"):
        report = judged(lab, cases, f"import numpy as np\n\n\ndef f(x):\n    y = x.copy()\n    {spoil}\n    return y\n")
        assert report.parts[0].status in ("passed", "failed")


MOMENTS = Part("softmax", "f", ("x",), (Output("means"),), lambda x: (x.mean(axis=-1),))


@pytest.mark.parametrize("process", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize(
    ("source", "passes"),
    [
        ("return x.mean(-1)", True),
        ("return [sum([float(v) for v in row]) / len(row) for row in x]", True),
        ("return [np.outer(row, np.ones(400)).mean() for row in x]", False),
        ("return [sum(v for a in [[v + 0 * w for v in r] for w in r] for v in a) / len(r)**2 for r in x]", False),
    ],
    ids=["array", "lists", "outer product", "list of lists"],
)
def test_memory_is_measured_not_provoked(source, passes, process):
    lab = lab_of(MOMENTS, memory=lambda x: 500_000)
    cases = cases_of(lab, [((LONG,), (LONG[::-1],))], "measured", repeated=False)
    report = judged(lab, cases, f"import numpy as np\n\n\ndef f(x):\n    {source}\n", process)
    assert report.passed is passes, told(report)
    assert passes or "MB of memory at once for x (2, 400)" in told(report)


def test_memory_counts_for_nothing_where_it_is_not_measured():
    lab = lab_of(MOMENTS, memory=lambda x: 0)
    assert judged(lab, cases_of(lab, [(LONG,)]), "def f(x):\n    return x.mean(-1)\n").passed


def test_a_first_call_that_imports_something_takes_no_memory_of_the_second():
    lab = lab_of(MOMENTS, memory=lambda x: 500_000)
    cases = cases_of(lab, [((LONG,), (LONG[::-1],))], "measured", repeated=False)
    lazy = "kept = []\n\n\ndef f(x):\n    kept or kept.append(bytes(5_000_000))\n    return x.mean(-1)\n"
    assert judged(lab, cases, lazy).passed


def test_a_list_that_can_be_gone_through_once_only_is_an_iterator():
    total = Part("softmax", "f", ("blocks",), (Output("total"),), lambda blocks: (sum(blocks),))
    lab = lab_of(total)
    cases = cases_of(lab, [([ROWS, OTHER_ROWS],)], "iterator")
    assert judged(lab, cases, "def f(x):\n    return sum(x)\n").passed
    twice = judged(lab, cases, "def f(x):\n    n = len(list(x))\n    return sum(x)\n")
    assert not twice.passed


def test_arguments_are_shown_by_their_names():
    part = KINDS["variadic"][0]
    assert compare.shapes(part, (ROWS, None)) == "masks[0] (2, 3), masks[1] = None"
    assert compare.shapes(KINDS["scalar"][0], (np.float64(2.5) * np.ones(()), "sum")) == "x = 2.5, mode = 'sum'"
    assert compare.shapes(KINDS["nested"][0], ([ROWS], (1, 2.0))) == "blocks = [(2, 3)], pair = [1, 2.0]"


@pytest.mark.parametrize("kind", KINDS)
def test_cases_of_every_kind_are_shipped_as_they_were(kind):
    part, calls, _ = KINDS[kind]
    lab = lab_of(part)
    (group,) = cases_of(lab, calls).values()
    for case, call in zip(group, calls, strict=True):
        again = drawn.with_expected(lab, Case("softmax.values", case.strategy, (call, call)))
        assert repr(case.calls) == repr(again.calls)
        assert repr(case.expected) == repr(again.expected)
        assert case.tolerances == again.tolerances


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize(("kind", "body", "words"), WRONG[:8])
def test_the_terminal_shows_them_too(kind, body, words, lang, capsys):
    part, calls, _ = KINDS[kind]
    lab = lab_of(part)
    report = judged(lab, cases_of(lab, calls), source_of(kind, body))
    show(report, lang, Console(width=80))
    assert part.name in capsys.readouterr().out


