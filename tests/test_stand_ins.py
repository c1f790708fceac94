"""What the grader computes itself when a stand-in is asked: no more than the sizes of the cases call for."""

import math
import time
import tracemalloc
from importlib import import_module

import numpy as np
import pytest
from conftest import every_lab

from attnlab import attention, gates, masks, multihead, scaling
from attnlab.checking import cases as drawn
from attnlab.labs.model import Raises
from attnlab.sandbox import right

N = 60  # N ** 4 scores take 100 MB
LEAD, TURN = np.ones((N, 1, N, 1)), np.ones((1, N, N, 1))  # (N, N) leading axes together
EYE, SMALL = np.eye(2), np.ones((2, 2))
TALL = np.ones((12, 1, 12, 1, 12, 2))  # (12, 1, 12, 1) leading axes, in which those of a mask stand one further back
HEADS = np.ones((12, 1, 12, 1, 12, 12), bool)
ASKED = {
    "keys of other batches": (attention.attention, (LEAD, TURN, TURN)),
    "masks of other batches": (masks.masked_attention, (LEAD, LEAD, LEAD, np.ones((1, N, 1, N), bool))),
    "other axes": (attention.attention, (np.ones((5, 1, 900, 1)), *[np.ones((5, 900, 1))] * 2)),
    "matrices for each batch": (attention.causal_self_attention, (LEAD, *[np.ones((N, 1, 1, 1, 1))] * 3)),
    "a text without end": (attention.causal_self_attention, (np.ones((0, 20000, 2)), EYE, EYE, EYE)),
    "a long text": (attention.causal_mask, (20000,)),
    "a length in an array": (attention.causal_mask, (np.asarray(20000),)),
    "a length with a fraction": (attention.causal_mask, (20000.0,)),
    "a NumPy float": (attention.causal_mask, (np.float64(20000),)),
    "Jacobians": (scaling.softmax_jacobian, (np.ones((30, 900)),)),
    "rows and columns": (scaling.softmax_backward, (np.ones((5, 1, 1, 900)), np.ones((5, 900, 1)))),
    "gradients of other batches": (scaling.attention_backward, (LEAD, TURN, TURN, LEAD)),
    "lengths": (masks.padding_mask, (np.ones(20000, int), 2000)),
    "windows": (masks.sliding_window_mask, (2000, np.arange(20)[:, None, None])),
    "masks in all directions": (
        masks.combine_masks, [np.ones(s, bool) for s in ((400, 1, 1), (1, 400, 1), (1, 1, 400))]
    ),
    "safe keys of other batches": (masks.masked_attention, (LEAD, TURN, TURN)),
    "two sequences": (masks.cross_attention, (LEAD, TURN, *[np.ones((1, 1))] * 3)),
    "copies": (multihead.repeat_kv, (np.ones((20, 30, 50)), 2000)),
    "copies counted in an array": (multihead.repeat_kv, (np.ones((2, 3, 4)), np.array([2_000_000]))),
    "masks of heads": (multihead.multi_head_attention, (TALL, *[EYE] * 4, 1, HEADS)),
    "masks of groups": (multihead.grouped_query_attention, (TALL, *[EYE] * 4, 1, 1, HEADS)),
    "gates of other batches": (gates.gate_values, (LEAD, np.ones((1, N, 1, N)), N)),
    "gated masks": (gates.gated_multi_head_attention, (TALL, *[EYE] * 5, 1, "G1", "sigmoid", "multiply", HEADS)),
}  # fmt: skip


@pytest.mark.parametrize(("function", "args"), ASKED.values(), ids=ASKED)
def test_what_would_grow_beyond_measure_is_refused_before_anything_is_computed(function, args):
    tracemalloc.start()
    try:
        assert right.right_answer(function, tuple(args)) is None
        assert tracemalloc.get_traced_memory()[1] < 1e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("number", [10**400, -(10**400), math.nan, math.inf, 1 << 40], ids=lambda n: str(n)[:20])
def test_no_number_is_too_odd_to_be_answered_or_refused(number):
    for function in (attention.causal_mask, gates.sigmoid, attention.softmax):
        assert right.right_answer(function, (number,)) is None or function is gates.sigmoid
        right.right_answer(function, (number, 2.5, np.ones((0, 1 << 28, 1 << 28))))


@every_lab
def test_every_case_of_a_helper_is_answered_as_it_is_by_a_wide_margin(lab, monkeypatch):
    monkeypatch.setattr(right, "MAX_ENTRIES", right.MAX_ENTRIES // 5)
    for name in sorted({helper for part in lab.parts for helper in part.uses}):
        function = getattr(import_module(lab.core), lab.part(name).function)
        for group in (*drawn.visible(lab).values(), *drawn.draw(lab, 3, (name,)).values()):
            for case in (case for case in group if case.check.partition(".")[0] == name):
                for call, expected in zip(case.calls, case.expected, strict=True):
                    answer = right.right_answer(function, call)
                    assert answer is not None, (name, call)
                    assert (answer[0] == "raises") is isinstance(expected[0], Raises)


@every_lab
def test_docstrings_call_whole_what_is_whole_in_every_case(lab):
    for part in lab.parts:
        function = getattr(import_module(lab.core), part.function)
        for case in (c for check in lab.checks_of(part.name) for c in drawn.visible(lab)[check.id]):
            for call in case.calls:
                asked = right._documented(function, call)
                whole = [type(a) is int for a in call]
                assert [type(a) is int for a in asked] == whole
                if part.function != "log_n_scale":  # n may be a number or an array
                    assert whole == [name in right.whole_numbers(function) for name in part.names(call)]


def test_a_number_by_number_sigmoid_is_stood_in_for_however_large_the_number():
    for x in (np.float64(-1e4), 3e5, np.asarray(1e9)):
        assert right.right_answer(gates.sigmoid, (x,)) is not None


def test_a_whole_number_may_come_as_an_array_without_axes():
    assert right.right_answer(multihead.repeat_kv, (np.ones((2, 3, 4)), np.asarray(2)))[1].shape == (4, 3, 4)
    assert right.right_answer(attention.causal_mask, (np.int64(3),))[1].shape == (3, 3)


def test_half_precision_takes_no_longer_than_single():
    asked = (attention.causal_self_attention, [np.ones(s, np.float16) for s in ((1000, 20), *[(20, 1000)] * 3)])
    began = time.process_time()
    out, _ = right.right_answer(*asked)[1]
    assert time.process_time() - began < 5
    assert out.dtype == np.float32
