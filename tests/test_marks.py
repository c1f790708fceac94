"""`mark`, the graded cell: hidden cases, partial points, carried-forward work, and no hidden input in any message."""

import numpy as np
import pytest

from attnlab import CheckFailed, attention
from attnlab.checking import cases as drawn
from attnlab.grading import cells, marks


@pytest.fixture(autouse=True)
def _secret(monkeypatch):
    monkeypatch.setenv("ATTNLAB_SECRET", "of a test")
    monkeypatch.delenv("ATTNLAB_CARRIED_SHARE", raising=False)


@pytest.fixture
def handed_in(solution):
    """``handed_in(addition) -> dict``: the solution with something added, as a notebook's namespace."""

    def run(addition):
        namespace = {}
        exec(solution + addition, namespace)
        return namespace

    return run


BAD_SOFTMAX = "\n\ndef softmax(x):\n    return np.exp(x) * 0 + 1 / x.shape[-1]\n"


OVERFLOWS = "\n\ndef softmax(x):\n    e = np.exp(x)\n    return e / e.sum(-1, keepdims=True)\n"


def test_right_work_gets_every_point(lab):
    assert {p.name: cells.mark(p.name, getattr(attention, p.function)) for p in lab.parts} == {
        p.name: lab.points(p.name) for p in lab.parts
    }


def test_work_that_is_right_given_right_helpers_gets_half_of_the_points_it_lost(handed_in, capsys):
    alone = cells.notebook.judge("attention", handed_in(BAD_SOFTMAX)["attention"], "attention", shrink=False)
    lost = 4 - alone.part("attention").score
    assert lost > 1
    assert cells.mark("attention", handed_in(BAD_SOFTMAX)["attention"]) == 4 - lost / 2
    assert "credited" in capsys.readouterr().out


def test_the_share_is_a_setting_of_the_course(handed_in, monkeypatch):
    function = handed_in(OVERFLOWS)["attention"]
    points = []
    for share in ("0", "0.5", "1", "nonsense", "7"):
        monkeypatch.setenv("ATTNLAB_CARRIED_SHARE", share)
        points.append(cells.mark("attention", function))
    assert points[0] < points[1] < points[2] == 4
    assert points[3:] == [points[1], points[2]]


def test_a_fault_of_one_s_own_is_not_credited(handed_in):
    wrong = handed_in(BAD_SOFTMAX + "\n\ndef attention(Q, K, V, mask=None):\n    return Q, K\n")
    with pytest.raises(CheckFailed):
        cells.mark("attention", wrong["attention"])


def test_a_wrong_answer_without_a_point_raises_because_a_bare_0_may_count_as_full():
    with pytest.raises(CheckFailed):
        cells.mark("softmax", lambda x: x)


def test_code_made_for_the_visible_cases_is_found_out_and_told_no_hidden_input(lab, capsys):
    seen = {}
    for group in drawn.visible(lab).values():
        for case in group:
            if case.check.startswith("softmax."):
                for (x,), (weights,) in zip(case.calls, case.expected, strict=True):
                    seen[x.tobytes() + str(x.shape).encode()] = weights

    def from_memory(x):
        return seen.get(x.tobytes() + str(x.shape).encode(), np.zeros(x.shape))

    with pytest.raises(CheckFailed) as caught:
        cells.mark("softmax", from_memory)
    assert "particular sizes or numbers" in str(caught.value)
    assert "expected" not in str(caught.value)
    assert "[" not in str(caught.value)


def test_the_secret_decides_the_hidden_cases():
    packed = []
    for secret in ("a", "a", "b"):
        marks._drawn.cache_clear()
        packed.append(drawn.pack(marks.cases_for_marks("attention", secret, ("softmax",)), ""))
    assert packed[0] == packed[1] != packed[2]
