"""The engine's verdicts, one idea at a time, on whole files in a process of their own."""

import math

import numpy as np
import pytest
from conftest import ROOT

from attnlab import attention, texts
from attnlab.checking import cases as drawn
from attnlab.checking import engine
from attnlab.emit import as_json
from attnlab.emit.words import Words
from attnlab.sandbox.here import HereTarget

SOFTMAX = "import numpy as np\n{setup}\ndef softmax(x):\n{body}\n"


def softmax_file(body, setup=""):
    lines = "\n".join(f"    {line}" for line in body.split("\n"))
    return SOFTMAX.format(setup=setup, body=lines)


RIGHT = "e = np.exp(x - x.max(-1, keepdims=True))\nreturn e / e.sum(-1, keepdims=True)"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (RIGHT, "passed"),
        ("raise NotImplementedError()", "todo"),
        ("'''Docstring.'''\n# TODO", "todo"),
        ("pass", "todo"),
        ("x = x + 1", "failed"),
        ("return None if x.ndim else 3", "failed"),
        ("return x", "failed"),
        ("return 'weights'", "failed"),
        ("return {}", "failed"),
        ("return np.array([object()])", "failed"),
        ("return x.astype(complex)", "failed"),
        ("return x[..., None]", "failed"),
        ("return y", "error"),
        ("raise ValueError('no')", "error"),
        ("raise SystemExit", "error"),
        ("raise KeyboardInterrupt", "error"),
        ("return softmax(x)", "error"),
        ("import os; os._exit(0)", "died"),
        ("import ctypes; ctypes.string_at(0)", "died"),
        ("while True: pass", "timeout"),
        ("while True:\n    try:\n        while True: pass\n    except BaseException: pass", "timeout"),
        ("x -= x.max(-1, keepdims=True)\n" + RIGHT, "failed"),
    ],
)
def test_each_kind_of_ending_has_its_own_status(body, status, judged, quick):
    report = judged(softmax_file(body), parts=("softmax",), limits=quick)
    assert report.part("softmax").status == status


def test_a_function_right_once_and_wrong_when_called_again_is_stale(judged):
    body = "if x.shape not in seen:\n    seen[x.shape] = f(x)\nreturn seen[x.shape]"
    setup = (
        "seen = {}\ndef f(x):\n    e = np.exp(x - x.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)"
    )
    result = judged(softmax_file(body, setup), parts=("softmax",), shrink=True).part("softmax")
    assert result.status == "stale"
    assert result.checks[0].counterexample.call == 1


def test_a_buffer_written_by_both_calls_is_stale(judged):
    body = "e = np.exp(x - x.max(-1, keepdims=True))\nb = buffers.setdefault(x.shape, np.empty(x.shape))\n"
    body += "b[...] = e / e.sum(-1, keepdims=True)\nreturn b"
    result = judged(softmax_file(body, "buffers = {}"), parts=("softmax",)).part("softmax")
    assert result.status == "stale"
    assert result.checks[0].fault.kind == "overwritten"


def test_a_wrong_value_only_in_the_second_call_s_numbers_is_not_called_stale(judged):
    body = "e = np.exp(x)\nreturn e / e.sum(-1, keepdims=True)"
    result = judged(softmax_file(body), parts=("softmax",), shrink=True).part("softmax")
    assert result.status == "failed"


def test_a_crash_in_one_function_costs_the_others_nothing(solution, judged):
    report = judged(solution + "\n\ndef softmax(x):\n    import os\n    os._exit(1)\n")
    assert {name: report.part(name).status for name in ("causal_mask", "softmax", "sigmoid")} == {
        "causal_mask": "passed", "softmax": "died", "sigmoid": "passed",
    }  # fmt: skip
    assert report.root_cause == "softmax"


def test_an_endless_loop_for_one_input_leaves_the_points_of_the_checks_before_it(judged, quick):
    body = "if x.ndim > 2:\n    while True: pass\n" + RIGHT
    result = judged(softmax_file(body), parts=("softmax",), limits=quick).part("softmax")
    assert result.checks[0].outcome == "passed"
    assert result.status == "timeout"


def test_an_import_of_something_not_installed_costs_only_what_needs_it(judged):
    report = judged("import no_such_module\n" + softmax_file(RIGHT), parts=("softmax",))
    assert report.part("softmax").status == "passed"
    assert [problem.kind for problem in report.problems] == ["ModuleNotFoundError"]


def test_what_stands_before_a_failing_line_is_kept_and_what_comes_after_is_explained(judged):
    report = judged(softmax_file(RIGHT) + "\n1 / 0\ndef causal_mask(T):\n    return T\n")
    assert report.part("softmax").status == "passed"
    assert report.part("causal_mask").status == "error"
    assert "ZeroDivisionError" in Words(report, "en").message(report.part("causal_mask").checks[0])
    assert report.part("attention").status == "missing"


def test_a_failing_cell_does_not_stop_the_next_one(judged):
    report = judged(None, chunks=[("cell 1", "1 / 0"), ("cell 2", softmax_file(RIGHT))], parts=("softmax",))
    assert report.part("softmax").status == "passed"


@pytest.mark.parametrize(("line", "kind"), [("while True: pass", "timeout"), ("import os; os._exit(0)", "died")])
def test_a_line_that_never_comes_back_is_skipped_and_named(line, kind, judged, quick):
    report = judged(softmax_file(RIGHT) + f"\n{line}\n", parts=("softmax",), limits=quick)
    assert report.part("softmax").status == "passed"
    assert [(problem.kind, problem.line) for problem in report.problems] == [(kind, 7)]


def test_a_missing_function_is_told_from_one_whose_cell_failed(judged):
    assert judged("x = 1").part("softmax").status == "missing"
    report = judged(None, chunks=[("cell 1", "x = 1"), ("cell 2", "def softmax(x:\n    return x")])
    assert report.part("softmax").status == "error"
    assert "cell 2" in Words(report, "en").message(report.part("softmax").checks[0])
    assert report.part("attention").status == "missing"


@pytest.mark.parametrize(("name", "told"), [("Softmax", True), ("soft_max", True), ("sofmax", True), ("attend", False)])
def test_a_misspelt_name_is_pointed_out(name, told, judged):
    report = judged(f"def {name}(x):\n    return x")
    message = Words(report, "en").message(report.part("softmax").checks[0])
    assert report.part("softmax").status == "missing"
    assert (f"`{name}`" in message) is told


def test_a_name_that_is_no_function_is_an_error(judged):
    assert judged("softmax = 3").part("softmax").status == "error"


def test_the_course_s_own_answers_are_out_of_reach(judged):
    for line in ("from attnlab.attention import *", "import attnlab.attention as a; softmax = a.softmax"):
        report = judged(line)
        assert report.score == 0
    assert judged("from attnlab import check\ncheck('softmax', None)\n" + softmax_file(RIGHT)).problems == ()


def test_the_reference_passes_in_this_process_too(lab, cases):
    functions = {name: getattr(attention, name) for name in lab.functions}
    report = engine.check(lab, HereTarget(functions), cases)
    assert report.score == report.max_score == 10
    assert {result.status for result in report.parts} == {"passed"}


def test_what_is_graded_is_the_student_s_bytes(solution, judged):
    """The same file with one character changed gets other marks: nothing but the file can have been judged."""
    changed = solution.replace("np.exp(weights, out=weights)", "np.exp(weights, out=weights); weights += 1")
    assert changed != solution
    assert judged(solution).part("softmax").status == "passed"
    assert judged(changed).part("softmax").status == "failed"


def test_an_empty_file_and_zeros_gain_nothing(judged, lab):
    assert judged("# nothing").score == 0
    zeros = "import numpy as np\ndef causal_mask(T):\n    return np.zeros((T, T), bool)\n"
    zeros += "def softmax(x):\n    return np.zeros(x.shape)\n"
    zeros += "def attention(Q, K, V, mask=None):\n"
    zeros += "    shape = Q.shape[:-1]\n    return np.zeros((*shape, V.shape[-1])), np.zeros((*shape, K.shape[-2]))\n"
    zeros += "def causal_self_attention(X, W_q, W_k, W_v, W_gate=None):\n"
    zeros += "    return np.zeros((*X.shape[:-1], W_v.shape[-1])), np.zeros((*X.shape[:-1], X.shape[-2]))\n"
    zeros += "def sigmoid(x):\n    return np.zeros(x.shape)\n"
    report = judged(zeros)
    assert report.score == 0
    assert {result.status for result in report.parts} == {"failed"}


@pytest.mark.parametrize("cut", ["causal_mask", "softmax", "attention", "causal_self_attention"])
def test_the_root_cause_comes_before_its_consequences(cut, solution, judged):
    report = judged(solution + f"\n\ndef {cut}(*args):\n    raise ValueError\n")
    assert report.root_cause == cut


def test_a_counterexample_is_small_and_true(solution, judged):
    wrong = solution.replace("math.sqrt(d_k)", "d_k")
    report = judged(wrong, shrink=True)
    result = next(c for c in report.part("attention").checks if c.check.id == "attention.scale")
    example = result.counterexample
    assert max(a.size for a in example.args) <= 6
    got = attention.attention(*example.args)
    np.testing.assert_allclose(got[0], example.expected[0])
    assert len(Words(report, "en").lines(example)) <= 14


def test_hidden_cases_differ_from_the_visible_ones_and_are_the_same_for_the_same_seed(lab, cases):
    one, again, other = (drawn.draw(lab, seed, ("softmax",)) for seed in (7, 7, 8))
    key = "softmax.values"
    assert drawn.pack(one, "") == drawn.pack(again, "")
    assert drawn.pack({key: one[key]}, "") != drawn.pack({key: other[key]}, "")
    assert drawn.pack({key: one[key]}, "") != drawn.pack({key: cases[key]}, "")


def test_every_strategy_gives_a_case_and_every_check_has_strategies(lab, cases):
    strategies = lab.strategies()
    assert set(strategies) == set(cases) == {check.id for check in lab.checks}
    for check, group in cases.items():
        assert {case.strategy for case in group} == {s.name for s in strategies[check]}


def test_the_shipped_cases_are_those_that_the_strategies_give(lab, cases):
    fresh = drawn.draw(lab, drawn.VISIBLE_SEED)
    assert drawn.is_current(lab)
    for check, group in cases.items():
        for shipped, case in zip(group, fresh[check], strict=True):
            for a, b in zip(shipped.calls + shipped.expected, case.calls + case.expected, strict=True):
                for x, y in zip(a, b, strict=True):
                    np.testing.assert_allclose(np.asarray(x, float), np.asarray(y, float), rtol=1e-12, atol=1e-12)


def test_the_cases_avoid_the_shared_blind_spots(cases):
    """Sizes differ pairwise in most, hidden scores stay within reach, logits go beyond what exp can hold."""
    differ = total = 0
    for check, group in cases.items():
        if check.startswith("attention."):
            for case in group:
                Q, K, V = case.calls[0][:3]
                sizes = (Q.shape[-2], K.shape[-2], Q.shape[-1], V.shape[-1])
                differ, total = differ + (len(set(sizes)) == 4), total + 1
    assert differ > total / 2
    assert max(np.abs(case.calls[0][0]).max() for case in cases["softmax.large"]) >= 1e30


def test_no_oracle_shares_code_with_the_core():
    text = (ROOT / "src/attnlab/labs/attention/oracle.py").read_text(encoding="utf-8")
    assert "import attention" not in text
    assert "attnlab.attention" not in text


BREAKS = {
    "causal_mask": ("np.tri(T, dtype=bool)", "np.tri(T, k=1, dtype=bool)"),
    "softmax": ("keepdims=True)  # (..., n) - (..., 1)", "keepdims=True) * 0  # (..., n) - (..., 1)"),
    "attention": ("math.sqrt(d_k)", "math.sqrt(V.shape[-1])"),
    "causal_self_attention": ("X @ W_q, X @ W_k, X @ W_v", "X @ W_k, X @ W_q, X @ W_v"),
    "gate": ("sigmoid(X @ W_gate) * out", "sigmoid(X @ W_gate) + out"),
}


@pytest.mark.parametrize("part", BREAKS)
def test_breaking_the_core_on_purpose_is_seen(part, solution, judged):
    before, after = BREAKS[part]
    assert before in solution
    report = judged(solution.replace(before, after))
    assert report.part(part).status == "failed"
    assert report.root_cause == part


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_every_failure_has_a_sentence(lang, judged, quick):
    report = judged(softmax_file("return x") + "def attention(Q, K, V, mask=None):\n    return Q\n", shrink=True)
    for check in as_json.document(report, lang)["checks"]:
        assert check["message"] or check["outcome"] == "passed"
        assert math.isfinite(check["score"])


def test_two_numbers_that_look_alike_are_shown_with_the_digits_that_differ(judged):
    body = "e = np.exp(x - x.max(-1, keepdims=True))\nreturn e / e.sum(-1, keepdims=True) + 3e-6"
    report = judged(softmax_file(body), parts=("softmax",))
    fault = report.part("softmax").checks[0].fault
    assert fault.facts["got"] != fault.facts["expected"]


def test_a_crash_is_told_from_an_exit_and_a_disturbed_channel(judged, quick):
    said = {}
    for name, body in {
        "exit": "import os; os._exit(0)",
        "crash": "import ctypes; ctypes.string_at(0)",
        "babble": "import os\nfor fd in range(3, 12):\n    try: os.write(fd, b'x' * 99)\n    except OSError: pass",
    }.items():
        report = judged(softmax_file(body), parts=("softmax",), limits=quick)
        said[name] = report.part("softmax").checks[0].fault.message
    assert said == {"exit": "fault.died", "crash": "fault.crashed", "babble": "fault.babbled"}


@pytest.mark.parametrize("lang", texts.LANGUAGES)
@pytest.mark.parametrize(
    ("returned", "told"),
    [("Q", "fault.count_array"), ("(Q, K, V)", "fault.count"), ("(Q,)", "fault.count"), ("3", "fault.count_one")],
)
def test_a_wrong_number_of_results_is_told_as_it_is(returned, told, lang, judged):
    report = judged(f"def attention(Q, K, V, mask=None):\n    return {returned}\n", parts=("attention",))
    result = report.part("attention").checks[0]
    assert result.fault.message == told
    assert Words(report, lang).message(result)


def test_stale_answers_are_explained_in_both_languages(judged):
    body = "if x.shape not in seen:\n    seen[x.shape] = np.full(x.shape, 1 / x.shape[-1])\nreturn seen[x.shape]"
    report = judged(softmax_file(body, "seen = {}"), parts=("softmax",), shrink=True)
    for lang in texts.LANGUAGES:
        assert as_json.dumps(report, lang)


def test_any_numbers_are_judged_without_an_accident(lab, cases):
    """Whatever a target gives back, saying what is wrong with it must not fail itself."""
    from attnlab.checking import compare

    rng = np.random.default_rng(0)
    for check in lab.checks:
        part = lab.part(check.part)
        for case in cases[check.id]:
            for spoil in (
                lambda a: a * 0.0, lambda a: a + 1.0, lambda a: np.full(a.shape, np.nan), lambda a: a[None],
                lambda a: np.full(a.shape, np.inf), lambda a: rng.random(a.shape), lambda a: a[..., ::-1].copy(),
            ):  # fmt: skip
                answers = tuple(
                    ("ok", tuple(("array", spoil(e), "ndarray") for e in outputs), ()) for outputs in case.expected
                )
                fault = compare.judge(lab, part, check, case, (*answers, None))
                if fault is not None:
                    facts = {"function": part.function} | fault.facts
                    assert texts.say("ru", fault.message, facts, lab.name)
