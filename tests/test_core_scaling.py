"""Lab scaling's mathematics: against plain loops, central differences, its own laws, and torch; its special checks."""

import ast
import importlib.util
import inspect
import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from attnlab import attention as first_lab
from attnlab import scaling as core
from attnlab.checking import cases, engine
from attnlab.labs.scaling import LAB, checks, oracle
from attnlab.sandbox.here import HereTarget
from attnlab.scaling import (
    attention_backward,
    attention_entropy,
    log_n_scale,
    softmax,
    softmax_backward,
    softmax_jacobian,
)

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(1, 5)
LEADS = st.lists(st.integers(1, 3), max_size=2).map(tuple)
STEP = 1e-5


def weights_of(seed, *shape):
    return softmax(3 * np.random.default_rng(seed).standard_normal(shape))


@st.composite
def backward_inputs(draw):
    lead, (T_q, T_k, d_k, d_v) = draw(LEADS), (draw(SIZES) for _ in range(4))
    rng = np.random.default_rng(draw(SEEDS))
    shapes = (*lead, T_q, d_k), (*lead, T_k, d_k), (*lead, T_k, d_v), (*lead, T_q, d_v)
    mask = None
    if draw(st.booleans()):
        mask = rng.random((T_q, T_k)) < 0.5
        mask[:, rng.integers(T_k)] = True
    return (*(rng.standard_normal(shape) for shape in shapes), mask)


def loss(Q, K, V, grad_out, mask):
    """Go forward with the first lab's attention, of which this lab knows nothing."""
    return (grad_out * first_lab.attention(Q, K, V, mask)[0]).sum()


def central_differences(function, arrays, which):
    slope = np.zeros(arrays[which].shape)
    for index in np.ndindex(slope.shape):
        up, down = [a.copy() for a in arrays], [a.copy() for a in arrays]
        up[which][index] += STEP
        down[which][index] -= STEP
        slope[index] = (function(*up) - function(*down)) / (2 * STEP)
    return slope


@settings(max_examples=40)
@given(SEEDS, LEADS, SIZES)
def test_the_jacobian_agrees_with_a_plain_loop(seed, lead, n):
    p = weights_of(seed, *lead, n)
    np.testing.assert_allclose(softmax_jacobian(p), oracle.softmax_jacobian(p)[0], rtol=0, atol=1e-15)


@settings(max_examples=40)
@given(SEEDS, SIZES)
def test_the_columns_of_the_jacobian_are_central_differences_of_softmax(seed, n):
    scores = 3 * np.random.default_rng(seed).standard_normal(n)
    for j in range(n):
        step = STEP * np.eye(n)[j]
        slope = (softmax(scores + step) - softmax(scores - step)) / (2 * STEP)
        np.testing.assert_allclose(softmax_jacobian(softmax(scores))[:, j], slope, rtol=0, atol=1e-9)


@settings(max_examples=40)
@given(SEEDS, LEADS, SIZES)
def test_the_way_back_through_softmax_is_the_product_with_the_jacobian(seed, lead, n):
    p, grad_p = weights_of(seed, *lead, n), np.random.default_rng(seed).standard_normal((*lead, n))
    grad_s = softmax_backward(p, grad_p)
    product = np.einsum("...j,...ji->...i", grad_p, softmax_jacobian(p))
    np.testing.assert_allclose(grad_s, product, rtol=0, atol=1e-13)
    np.testing.assert_allclose(grad_s, oracle.softmax_backward(p, grad_p)[0], rtol=0, atol=1e-13)
    np.testing.assert_allclose(grad_s.sum(axis=-1), 0, rtol=0, atol=1e-13)


@settings(max_examples=40)
@given(SEEDS, SIZES, st.floats(-1e4, 1e4))
def test_a_constant_gradient_moves_no_score(seed, n, constant):
    p = weights_of(seed, n)
    np.testing.assert_allclose(softmax_backward(p, np.full(n, constant)), 0, rtol=0, atol=1e-11)


def test_the_way_back_takes_memory_that_is_linear_in_the_number_of_keys():
    p = np.full((64, 16384), 1 / 16384)
    grad_p = np.random.default_rng(0).standard_normal(p.shape)
    tracemalloc.start()
    softmax_backward(p, grad_p)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 3.1 * p.nbytes  # one Jacobian alone would be 2 GiB, 256 times as much as `p`


@settings(max_examples=40)
@given(backward_inputs())
def test_the_gradients_of_attention_agree_with_a_plain_loop(inputs):
    for got, expected in zip(attention_backward(*inputs), oracle.attention_backward(*inputs), strict=True):
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12)


@settings(max_examples=15)
@given(backward_inputs())
def test_the_gradients_of_attention_are_central_differences(inputs):
    *QKV, grad_out, mask = inputs
    for which, got in enumerate(attention_backward(*inputs)):
        slope = central_differences(lambda Q, K, V: loss(Q, K, V, grad_out, mask), QKV, which)
        np.testing.assert_allclose(got, slope, rtol=0, atol=1e-8)


def test_a_key_that_nobody_sees_gets_a_gradient_of_exactly_0_and_so_does_its_value():
    Q, K, V, grad_out = (
        np.random.default_rng(0).standard_normal(s) for s in ((2, 3, 4), (2, 5, 4), (2, 5, 2), (2, 3, 2))
    )
    hidden = np.array([True, False, True, False, True])
    grad_Q, grad_K, grad_V = attention_backward(Q, K, V, grad_out, hidden)
    assert not grad_K[:, ~hidden].any()
    assert not grad_V[:, ~hidden].any()
    assert grad_Q.all()


@pytest.mark.filterwarnings("error")
def test_scores_of_ten_thousand_give_finite_gradients_without_a_warning():
    Q, K = np.array([[1e4, 1.0], [-1e4, 1.0]]), np.array([[1.0, 0.0], [1.0, 0.5], [1.0, -0.5]])
    V, grad_out = np.arange(6.0).reshape(3, 2), np.ones((2, 2))
    for got, expected in zip(
        attention_backward(Q, K, V, grad_out), oracle.attention_backward(Q, K, V, grad_out), strict=True
    ):
        np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed; make test installs it")
@pytest.mark.parametrize("masked", [False, True], ids=["no mask", "mask"])
@pytest.mark.parametrize("lead", [(), (3,), (2, 3)], ids=str)
def test_the_same_gradients_as_autograd_of_torch(lead, masked):
    import torch

    rng = np.random.default_rng(len(lead))
    Q, K, V, grad_out = (rng.standard_normal((*lead, *s)) for s in ((7, 6), (5, 6), (5, 4), (7, 4)))
    mask = np.broadcast_to(rng.random((7, 5)) < 0.4, (*lead, 7, 5)).copy() if masked else None
    if masked:
        mask[..., 2] = True
    leaves = [torch.tensor(a, requires_grad=True) for a in (Q, K, V)]
    attn_mask = None if mask is None else torch.tensor(mask)
    torch.nn.functional.scaled_dot_product_attention(*leaves, attn_mask=attn_mask).backward(torch.tensor(grad_out))
    for got, leaf in zip(attention_backward(Q, K, V, grad_out, mask), leaves, strict=True):
        np.testing.assert_allclose(got, leaf.grad.numpy(), rtol=0, atol=1e-12)


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed; make test installs it")
def test_the_same_jacobian_and_entropy_as_torch():
    import torch

    scores = torch.tensor(np.random.default_rng(0).standard_normal(6))
    p = torch.softmax(scores, -1)
    jacobian = torch.autograd.functional.jacobian(lambda s: torch.softmax(s, -1), scores)
    np.testing.assert_allclose(softmax_jacobian(p.numpy()), jacobian.numpy(), rtol=0, atol=1e-14)
    entropy = torch.distributions.Categorical(probs=p).entropy()
    np.testing.assert_allclose(attention_entropy(p.numpy()), entropy.numpy(), rtol=0, atol=1e-12)


@settings(max_examples=40)
@given(SEEDS, LEADS, SIZES)
def test_the_entropy_agrees_with_a_plain_loop_and_lies_between_0_and_log_n(seed, lead, n):
    weights = weights_of(seed, *lead, n)
    weights = np.where(weights > 0.05, weights, 0)
    weights /= weights.sum(axis=-1, keepdims=True)
    entropy = attention_entropy(weights)
    np.testing.assert_allclose(entropy, oracle.attention_entropy(weights)[0], rtol=0, atol=1e-13)
    assert ((entropy > -1e-12) & (entropy < math.log(n) + 1e-12)).all()


@pytest.mark.filterwarnings("error")
def test_equal_weights_have_the_entropy_log_n_and_a_single_key_has_none():
    assert attention_entropy(np.full(7, 1 / 7)) == pytest.approx(math.log(7), abs=1e-12)
    np.testing.assert_array_equal(attention_entropy(np.eye(4)), np.zeros(4))


def test_the_log_n_factor_is_1_at_the_length_of_training_0_for_one_key_and_clamped_nowhere():
    np.testing.assert_allclose(
        log_n_scale(np.array([1, 8, 64, 512, 4096]), 512), [0, 1 / 3, 2 / 3, 1, 4 / 3], atol=1e-15
    )
    assert log_n_scale(1024, 32) == pytest.approx(2)
    assert np.ndim(log_n_scale(7, 512)) == 0


@settings(max_examples=40)
@given(st.integers(1, 10**6), st.integers(2, 10**6))
def test_the_log_n_factor_agrees_with_plain_logarithms(n, n_train):
    assert log_n_scale(n, n_train) == pytest.approx(oracle.log_n_scale(n, n_train)[0].item(), abs=1e-12)


def test_the_log_n_factor_keeps_the_weight_of_a_key_with_a_lead_of_log_n():
    for n in (64, 512, 4096, 32768):
        scores = np.zeros(n)
        scores[0] = math.log(512)
        assert softmax(log_n_scale(n, 512) * scores)[0] == pytest.approx(0.5, abs=0.005)


def test_float32_stays_float32():
    p = weights_of(0, 2, 3, 5).astype(np.float32)
    Q, K, V, grad_out = np.random.default_rng(0).standard_normal((4, 2, 5, 3)).astype(np.float32)
    given_back = (
        softmax_jacobian(p),
        softmax_backward(p, p),
        attention_entropy(p),
        *attention_backward(Q, K, V, grad_out),
    )
    assert {a.dtype for a in given_back} == {np.dtype(np.float32)}


def test_the_softmax_that_is_given_is_that_of_the_first_lab():
    def body(module):
        (function,) = ast.parse(inspect.getsource(module.softmax)).body
        return [ast.unparse(statement) for statement in function.body[1:]]

    assert body(core) == body(first_lab)


# the checks that are no comparison with the oracle


def judged(part, function):
    drawn = cases.draw(LAB, 1, (part,))
    functions = {name: getattr(core, name) for name in LAB.functions} | {LAB.part(part).function: function}
    report = engine.check(LAB, HereTarget(functions), drawn, parts=(part,), shrink=False, explain=False)
    return {c.check.id.partition(".")[2]: c for c in report.part(part).checks}


def test_central_differences_alone_find_a_wrong_gradient_and_say_how_the_loss_moves():
    def too_large(Q, K, V, grad_out, mask=None):
        grad_Q, grad_K, grad_V = attention_backward(Q, K, V, grad_out, mask)
        return grad_Q, grad_K * np.where(np.arange(grad_K.shape[-1]) == 1, 1.01, 1), grad_V

    result = judged("attention_backward", too_large)["differences"]
    assert result.outcome == "failed"
    assert result.fault.message == "scaling.loss_moves"
    assert result.fault.facts["name"] == "K"
    assert result.fault.facts["index"][-1] == 1
    assert result.fault.facts["got"] == pytest.approx(1.01 * result.fault.facts["slope"], rel=1e-6)


def test_moved_scores_alone_find_a_wrong_jacobian():
    result = judged("softmax_jacobian", lambda p: softmax_jacobian(p) + 1e-3 * np.eye(p.shape[-1]))["slopes"]
    assert result.fault.message == "scaling.weight_moves"
    assert result.fault.facts["i"] == result.fault.facts["j"]


@pytest.mark.parametrize("relation", [checks.columns_are_slopes, checks.gradients_are_central_differences])
def test_nan_is_no_slope(relation):
    part = "softmax_jacobian" if relation is checks.columns_are_slopes else "attention_backward"
    check = next(c for c in LAB.checks_of(part) if c.relation is relation)
    for case in cases.draw(LAB, 1, (part,))[check.id]:
        right = [tuple(output.copy() for output in outputs) for outputs in case.expected]
        assert relation(case, right, case.tolerances) is None
        right[0][0][...] = np.nan
        assert relation(case, right, case.tolerances) is not None


def n_by_n(kind):
    """Right answers that need n x n numbers of some kind, for one row at a time."""

    def backward(p, grad_p):
        if p.ndim > 1:
            return np.array([backward(*row) for row in zip(p, grad_p, strict=True)])
        products = np.outer(p, p).astype(kind)
        return (p * grad_p - products @ grad_p.astype(kind)).astype(float)

    return backward


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_n_by_n_numbers_for_a_single_row_are_found_and_nothing_else_is_blamed(kind):
    results = judged("softmax_backward", n_by_n(kind))
    assert {id for id, result in results.items() if result.outcome != "passed"} - {"values"} == {"memory"}
    assert results["memory"].fault.message == "fault.memory"


def test_lists_of_python_numbers_are_no_waste_of_memory():
    def in_lists(p, grad_p):
        if p.ndim > 1:
            return [in_lists(*row) for row in zip(p, grad_p, strict=True)]
        pairs = list(zip(p.tolist(), grad_p.tolist(), strict=True))
        products = [a * b for a, b in pairs]
        mean = sum(products)
        differences = [b - mean for _, b in pairs]
        return [a * c for (a, _), c in zip(pairs, differences, strict=True)]

    assert {result.outcome for result in judged("softmax_backward", in_lists).values()} == {"passed"}


def test_a_search_for_small_examples_among_long_rows_says_nothing_and_leaves_measured_cases_alone(recwarn):
    def forgetful(p, grad_p):
        kept = (p * grad_p)[..., :100].sum(axis=-1, keepdims=True)
        return p * (grad_p - kept)

    drawn = cases.draw(LAB, 1, ("softmax_backward",))
    functions = {name: getattr(core, name) for name in LAB.functions} | {"softmax_backward": forgetful}
    report = engine.check(LAB, HereTarget(functions), drawn, parts=("softmax_backward",), explain=False)
    examples = {c.check.id: c.counterexample for c in report.part("softmax_backward").checks if c.counterexample}
    assert set(examples) == {"softmax_backward.values", "softmax_backward.memory"}
    assert examples["softmax_backward.memory"].case in drawn["softmax_backward.memory"]
    assert [str(warning.message) for warning in recwarn] == []


@pytest.mark.parametrize("check", LAB.checks, ids=lambda check: check.id)
def test_the_smallest_cases_a_search_may_find_are_legal_and_the_reference_is_right_on_them(check):
    part, target = LAB.part(check.part), HereTarget({name: getattr(core, name) for name in LAB.functions})
    for strategy in LAB.strategies()[check.id]:

        @settings(max_examples=12, database=None, deadline=None, suppress_health_check=list(HealthCheck))
        @given(strategy.search(check.id, 1))
        def right(case):
            _, fault = engine.judge_again(LAB, part, check, cases.with_expected(LAB, case), target)
            assert fault is None, case

        right()


def test_a_strategy_is_there_for_every_check_and_for_no_other():
    assert set(LAB.strategies()) == {check.id for check in LAB.checks}
    assert sum(check.points for check in LAB.checks) == 10
    points = [LAB.points(part.name) for part in LAB.parts]
    assert points == [2, 2, 4, 1, 1]


def test_weights_in_every_case_share_out_1():
    for name in ("softmax_jacobian", "softmax_backward", "attention_entropy"):
        for group in cases.draw(LAB, 3, (name,)).values():
            for case in group:
                for weights, *_ in case.calls:
                    np.testing.assert_allclose(weights.sum(axis=-1), 1, rtol=0, atol=1e-6)
