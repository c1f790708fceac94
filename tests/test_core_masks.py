"""The mathematics of lab masks: against plain loops, against its own laws, and against torch."""

import importlib.util
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlab import attention as lab_attention
from attnlab.labs.masks import oracle
from attnlab.masks import (
    combine_masks,
    cross_attention,
    from_blocked,
    masked_attention,
    padding_mask,
    safe_softmax,
    sliding_window_mask,
)

FLOATS = st.floats(-50, 50, width=32)
SIZES = st.integers(1, 5)
LEADS = st.lists(st.integers(1, 3), max_size=2).map(tuple)
TORCH = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed; make test installs it"
)


def arrays(shape, elements=FLOATS):
    return hnp.arrays(np.float64, shape, elements=elements)


@st.composite
def masked_inputs(draw):
    """Queries, keys, values and any mask at all: rows that see nothing are as likely as others."""
    lead = draw(LEADS)
    T_q, T_k, d_k, d_v = (draw(SIZES) for _ in range(4))
    mask = draw(st.none() | hnp.arrays(bool, (T_q, T_k)) | hnp.arrays(bool, (*lead, 1, T_k)))
    return draw(arrays((*lead, T_q, d_k))), draw(arrays((*lead, T_k, d_k))), draw(arrays((*lead, T_k, d_v))), mask


@pytest.fixture
def quiet_numbers():
    """Any warning is an error."""
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        yield


# making masks


@given(st.integers(1, 9), st.data())
def test_a_key_is_visible_exactly_where_a_token_stands(T, data):
    lengths = data.draw(hnp.arrays(np.int64, st.integers(1, 5), elements=st.integers(0, T)))
    mask = padding_mask(lengths, T)
    assert mask.dtype == bool
    assert mask.shape == (len(lengths), 1, T)
    np.testing.assert_array_equal(mask, oracle.padding_mask(lengths, T)[0])
    np.testing.assert_array_equal(mask.sum(axis=(1, 2)), lengths)


@given(hnp.arrays(bool, hnp.array_shapes(min_dims=0, max_dims=4, max_side=4)))
def test_blocked_and_visible_are_opposites_in_a_new_array(mask):
    before = mask.copy()
    visible = from_blocked(mask)
    np.testing.assert_array_equal(visible, oracle.from_blocked(mask)[0])
    np.testing.assert_array_equal(from_blocked(visible), before)
    assert not np.shares_memory(visible, mask)
    np.testing.assert_array_equal(mask, before)


@given(st.integers(1, 12), st.integers(1, 14), st.integers(0, 14))
def test_a_window_with_sinks_agrees_with_slices_of_the_past(T, window, sinks):
    mask = sliding_window_mask(T, window, sinks)
    assert mask.dtype == bool
    np.testing.assert_array_equal(mask, oracle.sliding_window_mask(T, window, sinks)[0])


@given(st.integers(1, 12), st.integers(0, 5))
def test_a_long_window_or_many_sinks_give_the_causal_mask(T, more):
    causal = lab_attention.causal_mask(T)
    np.testing.assert_array_equal(sliding_window_mask(T, T + more), causal)
    np.testing.assert_array_equal(sliding_window_mask(T, 1, T + more), causal)


def test_a_window_counts_the_token_itself():
    np.testing.assert_array_equal(sliding_window_mask(4, 1), np.eye(4, dtype=bool))
    assert sliding_window_mask(9, 3)[-1].sum() == 3
    assert sliding_window_mask(9, 3, 2)[-1].sum() == 5


@given(st.lists(st.none() | hnp.arrays(bool, st.sampled_from([(3, 4), (1, 4), (3, 1), (4,), (2, 1, 4)])), max_size=4))
def test_combining_agrees_with_asking_every_mask_about_every_cell(masks):
    before = [None if mask is None else mask.copy() for mask in masks]
    combined, expected = combine_masks(*masks), oracle.combine_masks(*masks)[0]
    if expected is None:
        assert combined is None
    else:
        np.testing.assert_array_equal(combined, expected)
    for mask, was in zip(masks, before, strict=True):
        np.testing.assert_array_equal(mask, was)


# rows that see nothing


@given(st.data(), LEADS, SIZES)
def test_safe_softmax_agrees_with_a_plain_loop_and_never_warns(data, lead, n):
    x = data.draw(arrays((*lead, n), FLOATS | st.just(-np.inf)))
    with warnings.catch_warnings(), np.errstate(all="raise", under="ignore"):
        warnings.simplefilter("error")
        weights = safe_softmax(x)
    np.testing.assert_allclose(weights, oracle.safe_softmax(x)[0], rtol=0, atol=1e-12)
    assert (weights[np.isneginf(x)] == 0).all()


@given(st.data(), LEADS, SIZES)
def test_safe_softmax_is_softmax_where_every_row_sees_something(data, lead, n):
    x = data.draw(arrays((*lead, n)))
    np.testing.assert_allclose(safe_softmax(x), lab_attention.softmax(x), rtol=0, atol=1e-15)


@pytest.mark.parametrize("size", [1e4, 1e30, 1e300])
def test_very_low_rows_are_not_taken_for_empty_ones(size, quiet_numbers):
    x = np.array([[-size, -np.inf, -2 * size], [-np.inf] * 3, [size, 0, -np.inf]])
    np.testing.assert_array_equal(safe_softmax(x), [[1, 0, 0], [0, 0, 0], [1, 0, 0]])


@settings(max_examples=60)
@given(masked_inputs())
def test_masked_attention_agrees_with_a_plain_loop(inputs):
    for got, expected in zip(masked_attention(*inputs), oracle.masked_attention(*inputs), strict=True):
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)


def test_a_query_that_sees_nothing_takes_nothing_and_raises_no_warning(quiet_numbers):
    Q, K, V = np.random.default_rng(0).standard_normal((3, 2, 4, 5))
    out, weights = masked_attention(Q, K, V, padding_mask(np.array([0, 3]), 4))
    assert (out[0] == 0).all()
    assert (weights[0] == 0).all()
    np.testing.assert_allclose(weights[1].sum(axis=-1), 1)


def test_what_stands_at_hidden_positions_changes_nothing():
    Q, K, V = np.random.default_rng(0).standard_normal((3, 4, 5))
    mask = padding_mask(np.array([2]), 4)[0]
    before, _ = masked_attention(Q, K, V, mask)
    V[2:] = 1e300
    after, _ = masked_attention(Q, K, V, mask)
    np.testing.assert_array_equal(after, before)


@settings(max_examples=60)
@given(st.data(), LEADS, *[SIZES] * 6, st.booleans())
def test_cross_attention_agrees_with_a_plain_loop(data, lead, T_q, T_k, d_model, d_z, d_k, d_v, masked):
    small = st.floats(-3, 3, width=32)
    shapes = ((*lead, T_q, d_model), (*lead, T_k, d_z), (d_model, d_k), (d_z, d_k), (d_z, d_v))
    args = [data.draw(arrays(shape, small)) for shape in shapes]
    args.append(data.draw(hnp.arrays(bool, (T_q, T_k))) if masked else None)
    for got, expected in zip(cross_attention(*args), oracle.cross_attention(*args), strict=True):
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)


def test_float32_stays_float32():
    rng = np.random.default_rng(0)
    X, Z, *W = (rng.standard_normal(s).astype(np.float32) for s in ((2, 5, 4), (2, 3, 6), (4, 3), (6, 3), (6, 7)))
    mask = padding_mask(np.array([0, 2]), 3)
    assert {a.dtype for a in cross_attention(X, Z, *W, mask)} == {np.dtype(np.float32)}
    assert safe_softmax(X).dtype == np.float32


# torch


@TORCH
@pytest.mark.parametrize("shape", [(2, 6, 8), (2, 3, 6, 5)])
@pytest.mark.parametrize("lengths", [(6, 4), (0, 3), (0, 0)])
def test_the_same_numbers_as_torch_empty_rows_included(shape, lengths):
    import torch
    import torch.nn.functional as F

    Q, K, V = np.random.default_rng(1).standard_normal((3, *shape)).astype(np.float32)
    padding = padding_mask(np.array(lengths), 6).reshape(2, *[1] * (len(shape) - 2), 6)
    for mask in (padding, combine_masks(padding, sliding_window_mask(6, 2))):
        ours, _ = masked_attention(Q, K, V, mask)
        theirs = F.scaled_dot_product_attention(*map(torch.from_numpy, (Q, K, V)), attn_mask=torch.from_numpy(mask))
        np.testing.assert_allclose(ours, theirs.numpy(), rtol=0, atol=1e-6)


@TORCH
def test_nn_multihead_attention_means_the_opposite_by_true():
    import torch

    rng = np.random.default_rng(2)
    X, W_q, W_k, W_v = (rng.standard_normal(s).astype(np.float32) for s in ((2, 5, 4), *[(4, 4)] * 3))
    layer = torch.nn.MultiheadAttention(4, num_heads=1, bias=False, batch_first=True)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.from_numpy(np.concatenate([W_q.T, W_k.T, W_v.T])))
        layer.out_proj.weight.copy_(torch.eye(4))
    blocked = np.arange(5) >= np.array([[3], [5]])  # (B, T): key_padding_mask, True = padding
    future = np.triu(np.ones((5, 5), dtype=bool), k=1)  # (T, T): attn_mask, True = blocked
    x = torch.from_numpy(X)
    theirs, weights = layer(x, x, x, key_padding_mask=torch.from_numpy(blocked), attn_mask=torch.from_numpy(future))
    mask = combine_masks(from_blocked(blocked)[:, None], from_blocked(future))  # (B, T, T)
    np.testing.assert_array_equal(from_blocked(blocked)[:, None], padding_mask(np.array([3, 5]), 5))
    ours, our_weights = cross_attention(X, X, W_q, W_k, W_v, mask)
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=0, atol=1e-5)
    np.testing.assert_allclose(our_weights, weights.detach().numpy(), rtol=0, atol=1e-6)


@TORCH
def test_cross_attention_is_torchs_with_another_text():
    import torch
    import torch.nn.functional as F

    rng = np.random.default_rng(3)
    X, Z, *W = (rng.standard_normal(s).astype(np.float32) for s in ((2, 5, 4), (2, 3, 6), (4, 3), (6, 3), (6, 7)))
    mask = padding_mask(np.array([0, 2]), 3)
    ours, _ = cross_attention(X, Z, *W, mask)
    q, k, v = (torch.from_numpy(a) for a in (X @ W[0], Z @ W[1], Z @ W[2]))
    theirs = F.scaled_dot_product_attention(q, k, v, attn_mask=torch.from_numpy(mask))
    np.testing.assert_allclose(ours, theirs.numpy(), rtol=0, atol=1e-5)
