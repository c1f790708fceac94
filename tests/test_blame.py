"""Blame and diagnosis: one cause, one message; named only when behaviour leaves no doubt."""

from importlib import import_module

import numpy as np
import pytest
from conftest import every_lab

from attnlab import attention, texts
from attnlab.checking import diagnose, engine
from attnlab.emit.words import Words
from attnlab.labs.attention.misconceptions import MISCONCEPTIONS, submission_source
from attnlab.sandbox import agent
from attnlab.sandbox.here import HereTarget
from attnlab.sandbox.process import right_answer

BAD_SOFTMAX = "\n\ndef softmax(x):\n    return x\n"
INLINED = """

def attention(Q, K, V, mask=None):
    scores = Q @ K.swapaxes(-1, -2)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    e = np.exp(scores - scores.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ V, w
"""


def given(report):
    return {r.part.name: r.right_given_right_helpers for r in report.parts if r.status != "passed"}


def test_a_wrong_helper_is_the_root_cause_and_its_users_are_right_given_a_right_one(solution, judged):
    report = judged(solution + BAD_SOFTMAX)
    assert report.root_cause == "softmax"
    assert given(report) == {"softmax": None, "attention": True, "causal_self_attention": True, "gate": True}


def test_a_missing_helper_is_stood_in_for_as_well(solution, judged):
    report = judged(solution + "\n\ndel softmax\n")
    assert report.part("softmax").status == "missing"
    assert given(report)["attention"] is True


def test_a_fault_of_one_s_own_is_not_excused_by_a_wrong_helper(solution, judged):
    report = judged(solution + BAD_SOFTMAX + INLINED)
    assert given(report)["attention"] is False
    assert report.part("attention").misconception == "no_scale"


def test_two_causes_are_both_told(solution, judged):
    wrong_scale = solution.replace("math.sqrt(d_k)", "1") + BAD_SOFTMAX
    report = judged(wrong_scale)
    assert given(report)["attention"] is False
    assert report.part("attention").misconception == "no_scale"


@pytest.mark.parametrize(
    ("signature", "call", "verdict"),
    [
        ("x, axis=-1", "softmax(scores, axis=-1)", True),
        ("x, axis=-1", "softmax(x=scores)", True),
        ("logits", "softmax(logits=scores)", True),
        ("*args", "softmax(scores)", True),
        ("x, temperature", "softmax(scores, 2.0)", None),
        ("x, axis=0", "softmax(scores, axis=1)", None),
    ],
)
def test_a_stand_in_takes_the_student_s_own_signature(signature, call, verdict, solution, judged):
    mine = solution.replace("weights = softmax(scores)", f"weights = {call}")
    report = judged(mine + f"\n\ndef softmax({signature}):\n    return 0\n")
    assert given(report)["attention"] is verdict


def test_blame_works_in_a_notebook_s_own_process(lab, cases, solution):
    namespace = {}
    exec(solution + BAD_SOFTMAX, namespace)
    before = namespace["softmax"]
    report = engine.check(lab, HereTarget({n: namespace[n] for n in lab.functions}), cases, shrink=False)
    assert given(report)["attention"] is True
    assert namespace["softmax"] is before


@pytest.mark.parametrize(
    "args", [(np.zeros((10**4, 10**4)),), (5 * 10**9,), ("text",), (), (None,), (np.zeros((3, 3), "i8"),) * 9]
)
def test_a_stand_in_refuses_what_no_contract_allows(args):
    answer = right_answer(attention.causal_mask if type(args[0] if args else None) is int else attention.softmax, args)
    assert answer is None or (answer[0] == "value" and isinstance(answer[1], np.ndarray))
    if args and type(args[0]) is int:
        assert answer is None


@every_lab
def test_most_known_wrong_versions_are_named_and_none_is_named_wrongly(lab, cases):
    """The registry against itself, in this process: each is named as itself or not at all."""
    named = 0
    candidates = [m for m in lab.misconceptions() if not m.stateful]
    for m in candidates:
        part = lab.part(m.part)
        seen = []
        for check in lab.checks_of(m.part):
            for case in cases[check.id]:
                with agent.quiet():
                    seen.append((case, agent.run_case(m.function, len(part.outputs), case.layout, case.calls)))
        ideas = diagnose.diagnose(lab, part, seen, HereTarget({}).run_case)
        assert ideas in ((), (m.misconception,))
        named += bool(ideas)
    assert named > 0.75 * len(candidates)


@every_lab
def test_a_right_function_is_never_accused(lab, cases):
    for part in lab.parts:
        function, seen = getattr(import_module(lab.core), part.function), []
        for check in lab.checks_of(part.name):
            for case in cases[check.id]:
                seen.append((case, agent.run_case(function, len(part.outputs), case.layout, case.calls)))
        assert diagnose.diagnose(lab, part, seen, HereTarget({}).run_case) == ()


def test_a_mistake_nobody_has_seen_is_told_by_facts_only(solution, judged):
    strange = solution.replace("Q / math.sqrt(d_k)", "np.sin(Q)")
    assert strange != solution
    assert judged(strange).part("attention").misconceptions == ()


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_a_named_mistake_is_explained_in_three_sentences(lang, judged):
    source = submission_source(next(m for m in MISCONCEPTIONS if m.misconception == "no_scale"))
    report = judged(source)
    words = Words(report, lang)
    assert len(words.diagnosis(report.part("attention"))) == 3
    assert "`attention`" in words.consequence(report.part("causal_self_attention"))
