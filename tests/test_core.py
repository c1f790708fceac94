"""The mathematics itself: against plain loops, against its own laws, and against torch."""

import importlib.util
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlab.attention import attention, causal_mask, causal_self_attention, sigmoid, softmax
from attnlab.labs.attention import oracle

FLOATS = st.floats(-50, 50, width=32)
SIZES = st.integers(1, 5)
LEADS = st.lists(st.integers(1, 3), max_size=3).map(tuple)


def arrays(shape):
    return hnp.arrays(np.float64, shape, elements=FLOATS)


@st.composite
def attention_inputs(draw):
    lead = draw(LEADS)
    T_q, T_k, d_k, d_v = (draw(SIZES) for _ in range(4))
    Q, K, V = draw(arrays((*lead, T_q, d_k))), draw(arrays((*lead, T_k, d_k))), draw(arrays((*lead, T_k, d_v)))
    mask = draw(st.none() | hnp.arrays(bool, (T_q, T_k)))
    if mask is not None:
        mask[:, draw(st.integers(0, T_k - 1))] = True
    return Q, K, V, mask


@given(st.integers(0, 40))
def test_the_causal_mask_is_true_exactly_at_and_below_the_diagonal(T):
    mask = causal_mask(T)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, oracle.causal_mask(T)[0])


@given(st.data(), LEADS, SIZES)
def test_softmax_agrees_with_a_plain_loop(data, lead, n):
    x = data.draw(arrays((*lead, n)))
    np.testing.assert_allclose(softmax(x), oracle.softmax(x)[0], rtol=0, atol=1e-12)


@given(arrays((3, 4)), st.floats(-1e4, 1e4))
def test_adding_a_constant_to_a_row_leaves_softmax_unchanged(x, constant):
    np.testing.assert_allclose(softmax(x + constant), softmax(x), rtol=0, atol=1e-9)


@pytest.mark.parametrize("size", [1e4, 1e30, 1e300])
def test_softmax_survives_scores_of_any_finite_size(size):
    np.testing.assert_array_equal(softmax(np.array([[size, -size], [0.0, size]])), [[1, 0], [0, 1]])


def test_softmax_gives_a_score_of_minus_infinity_no_weight():
    weights = softmax(np.array([-np.inf, -2e4, -np.inf]))
    np.testing.assert_array_equal(weights, [0, 1, 0])


@settings(max_examples=60)
@given(attention_inputs())
def test_attention_agrees_with_a_plain_loop(inputs):
    for got, expected in zip(attention(*inputs), oracle.attention(*inputs), strict=True):
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)


@settings(max_examples=60)
@given(st.data(), LEADS, SIZES, SIZES, SIZES, SIZES, st.sampled_from((None, "token", "channel")))
def test_causal_self_attention_agrees_with_a_plain_loop(data, lead, T, d_model, d_k, d_v, gate):
    small = st.floats(-3, 3, width=32)
    X, W_q, W_k, W_v = (
        data.draw(hnp.arrays(np.float64, s, elements=small))
        for s in ((*lead, T, d_model), (d_model, d_k), (d_model, d_k), (d_model, d_v))
    )
    args = [X, W_q, W_k, W_v]
    if gate is not None:
        args.append(data.draw(hnp.arrays(np.float64, (d_model, 1 if gate == "token" else d_v), elements=small)))
    for got, expected in zip(causal_self_attention(*args), oracle.causal_self_attention(*args), strict=True):
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)


@given(arrays((2, 5)))
def test_sigmoid_agrees_with_a_plain_loop(x):
    np.testing.assert_allclose(sigmoid(x), oracle.sigmoid(x)[0], rtol=0, atol=1e-15)


@pytest.mark.filterwarnings("error")
def test_sigmoid_neither_overflows_nor_warns():
    np.testing.assert_array_equal(sigmoid(np.array([-1e4, 0.0, 1e4])), [0, 0.5, 1])


def test_the_worked_example_of_the_lesson():
    Q, K = np.array([[2.0, 0], [0, 2], [1, 1]]), np.array([[1.0, 0], [0, 1], [1, 1]])
    V = np.array([[10.0, 0], [0, 10], [5, 5]])
    out, weights = attention(Q, K, V, causal_mask(3))
    np.testing.assert_allclose(weights, [[1, 0, 0], [0.1956, 0.8044, 0], [0.2483, 0.2483, 0.5035]], atol=5e-5)
    np.testing.assert_allclose(out, [[10, 0], [1.9557, 8.0443], [5, 5]], atol=5e-5)
    np.testing.assert_allclose(attention(Q, K, V)[1][0], [0.446, 0.108, 0.446], atol=5e-4)


def test_float32_stays_float32():
    rng = np.random.default_rng(0)
    X, *W = (rng.standard_normal(s).astype(np.float32) for s in ((2, 5, 4), (4, 3), (4, 3), (4, 6), (4, 6)))
    assert {a.dtype for a in causal_self_attention(X, *W)} == {np.dtype(np.float32)}
    assert softmax(X).dtype == sigmoid(X).dtype == np.float32


def test_no_more_than_two_arrays_of_the_size_of_the_weights_at_a_time():
    T, d = 1024, 8
    Q, K, V = np.random.default_rng(0).standard_normal((3, T, d))
    mask = causal_mask(T)
    tracemalloc.start()
    attention(Q, K, V, mask)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2.3 * T * T * 8


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed; make test installs it")
@pytest.mark.parametrize("shape", [(7, 16), (3, 9, 8), (2, 4, 33, 64)])
def test_the_same_numbers_as_torch(shape):
    import torch
    import torch.nn.functional as F

    Q, K, V = np.random.default_rng(1).standard_normal((3, *shape)).astype(np.float32)
    q, k, v = (torch.from_numpy(a) for a in (Q, K, V))
    out, _ = attention(Q, K, V, causal_mask(shape[-2]))
    np.testing.assert_allclose(out, F.scaled_dot_product_attention(q, k, v, is_causal=True).numpy(), rtol=0, atol=1e-6)
    out, _ = attention(Q, K, V)
    np.testing.assert_allclose(out, F.scaled_dot_product_attention(q, k, v).numpy(), rtol=0, atol=1e-6)
