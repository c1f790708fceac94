"""Whatever a function gives back, saying what is wrong with it must not fail itself: in any lab, in either language."""

import numpy as np
import pytest
from conftest import every_lab
from test_contracts import KINDS, cases_of, judged, lab_of, told

from attnlab import texts
from attnlab.checking import cases as drawn
from attnlab.checking import compare, engine
from attnlab.checking.target import Survey
from attnlab.emit import as_json, html
from attnlab.emit.words import Words, plain
from attnlab.labs.model import Raises

RNG = np.random.default_rng(0)
ENDS = (-np.inf, np.inf, np.nan, 1e308, -1e308, 0.0)
ODD = {
    "True": lambda a: np.ones(a.shape, bool),
    "not 0": lambda a: a.astype(bool),
    "1 bit the other way": lambda a: ~a.astype(bool),
    "int8": lambda a: np.nan_to_num(a.astype(float)).clip(-100, 100).astype(np.int8),
    "int64": lambda a: RNG.integers(-(2**63), 2**63 - 1, a.shape),
    "uint64": lambda a: RNG.integers(0, 2**64 - 1, a.shape, np.uint64),
    "float16": lambda a: a.astype(np.float16),
    "float32": lambda a: a.astype(np.float32) + np.float32(1),
    "NaN": lambda a: np.full(a.shape, np.nan),
    "inf": lambda a: np.full(a.shape, np.inf),
    "-1e308": lambda a: np.full(a.shape, -1e308),
    "all ends": lambda a: RNG.choice(ENDS, a.shape),
    "some ends": lambda a: np.where(RNG.random(a.shape) < 0.1, RNG.choice(ENDS, a.shape), a),
    "0": lambda a: a * 0.0,
    "+ 1": lambda a: a + 1.0,
    "negative": lambda a: -1.0 * a,
    "random": lambda a: RNG.random(a.shape),
    "backwards": lambda a: np.flip(a).copy(),
    "one axis more": lambda a: a[None],
    "one number": lambda a: np.asarray(True),
    "empty": lambda a: np.empty(0),
}
WHOLE = {f"{sign}e{n}": sign * 10**n for n in (19, 200, 308, 309, 1200) for sign in (1, -1)}


def answer(outputs):
    """Return how it is described that a function gave `outputs`: arrays, or whole numbers that fit into none."""
    return "ok", tuple(("int", o, "int") if isinstance(o, int) else ("array", o, "ndarray") for o in outputs), (), 0


def right(outputs):
    """Return how it is described that a function gave what it should: it raised, gave None, or these."""
    if isinstance(outputs[0], Raises):
        return "error", outputs[0].error, "", "", 0, ()
    return ("ok", (("none",),), (), 0) if outputs[0] is None else answer(outputs)


def results(case, part, odd):
    """Yield results of a case: odd values in all its calls, in the last call only, and in the first output only."""
    n = len(part.outputs)
    wanted = [outputs if len(outputs) == n else (None,) * n for outputs in case.expected]
    bad = [answer([odd(e if isinstance(e, np.ndarray) else np.asarray(0.5)) for e in outputs]) for outputs in wanted]
    good = [right(outputs) for outputs in case.expected]
    first = [("ok", (*b[1][:1], *g[1][1:]), (), 0) if g[0] == "ok" else g for g, b in zip(good, bad, strict=True)]
    yield from ((*bad, None), (*good[:-1], bad[-1], None), (*first, None))


class Given:
    """A target that gives `odd` answers."""

    def __init__(self, lab, odd):
        self.lab, self.odd = lab, odd

    def survey(self):
        return Survey(dict.fromkeys(self.lab.functions, "there"))

    def run(self, part, cases, stand_ins):
        for case in cases:
            yield next(results(case, part, self.odd))

    def run_case(self, function, n_outputs, layout, calls):
        return (*(("error", "E", "", "", 0, ()) for _ in calls), None)


@pytest.mark.parametrize("odd", [*ODD, *WHOLE])
@every_lab
def test_any_values_are_judged_without_an_accident(lab, odd):
    make = ODD.get(odd) or (lambda a: WHOLE[odd])
    for check in lab.checks:
        part = lab.part(check.part)
        for case in drawn.visible(lab)[check.id]:
            for result in results(case, part, make):
                fault = compare.judge(lab, part, check, case, result)
                if fault is not None:
                    facts = {"function": part.function} | fault.facts
                    if "because" in facts:
                        facts["because"] = ""
                    assert [texts.say(lang, fault.message, facts, lab.name) for lang in texts.LANGUAGES]


@pytest.mark.parametrize("odd", ["True", "all ends", "-1e308", "one number", "1e19", "1e400"])
@every_lab
def test_a_whole_report_on_any_values_is_shown_without_an_accident(lab, odd):
    make = ODD.get(odd) or (lambda a: 10 ** int(odd[2:]))
    report = engine.check(lab, Given(lab, make), drawn.visible(lab), shrink=False)
    assert not report.passed
    for lang in texts.LANGUAGES:
        words = Words(report, lang)
        assert as_json.dumps(report, lang)
        for part in report.parts:
            assert plain(words, part)
            assert html.card(words, part)


@pytest.mark.parametrize("process", [False, True], ids=["here", "elsewhere"])
@pytest.mark.parametrize("number", ["10**400", "-(10**400)", "np.array(True)", "True", "10**30"])
def test_a_number_beyond_floats_costs_its_own_part_and_is_told_as_it_is(number, process):
    part, calls, _ = KINDS["scalar"]
    lab = lab_of(part)
    report = judged(lab, cases_of(lab, calls), f"import numpy as np\n\n\ndef f(x, n):\n    return {number}\n", process)
    assert report.parts[0].status == "failed"
    shown = {"10**400": "1.000e+400", "-(10**400)": "-1.000e+400", "10**30": "1e+30"}.get(number, "1")
    assert told(report) == f"`total` is {shown}; it should be 15."
