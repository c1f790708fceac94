"""The mathematics of lab multihead: against plain loops, against its own laws, and against torch."""

import importlib.util

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attnlab import attention as first_lab
from attnlab import multihead
from attnlab.labs.multihead import oracle, pictures
from attnlab.multihead import (
    grouped_query_attention,
    kv_cache_bytes,
    merge_heads,
    multi_head_attention,
    repeat_kv,
    split_heads,
)

SIZES = st.integers(1, 4)
LEADS = st.lists(st.integers(1, 3), max_size=2).map(tuple)
needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch is not installed: nothing to compare with"
)


def rng(seed=0):
    return np.random.default_rng(seed)


def layer(generator, lead, T, H_kv, n_rep, D, dtype=np.float64):
    """Tokens, four projections, both numbers of heads."""
    d = H_kv * n_rep * D
    shapes = ((*lead, T, d), (d, d), (d, H_kv * D), (d, H_kv * D), (d, d))
    arrays = [
        generator.standard_normal(shape).astype(dtype) / (1 if i == 0 else d**0.5) for i, shape in enumerate(shapes)
    ]
    return (*(a.astype(dtype) for a in arrays), H_kv * n_rep, H_kv)


def some_mask(generator, *shape):
    """A mask in which every query sees itself at least."""
    return (generator.random(shape) < 0.5) | np.eye(shape[-1], dtype=bool)


@given(LEADS, SIZES, SIZES, SIZES)
def test_splitting_and_merging_agree_with_a_plain_loop_and_undo_each_other(lead, T, H, D):
    x = rng().standard_normal((*lead, T, H * D))
    heads = split_heads(x, H)
    np.testing.assert_array_equal(heads, oracle.split_heads(x, H)[0])
    np.testing.assert_array_equal(merge_heads(heads), oracle.merge_heads(heads)[0])
    np.testing.assert_array_equal(merge_heads(heads), x)


def test_a_head_owns_neighbouring_columns_of_every_token():
    x = np.arange(24).reshape(4, 6)
    np.testing.assert_array_equal(split_heads(x, 2)[1], [[3, 4, 5], [9, 10, 11], [15, 16, 17], [21, 22, 23]])


@given(LEADS, SIZES, SIZES, SIZES, SIZES)
def test_repeating_agrees_with_a_plain_loop(lead, H_kv, n_rep, T, D):
    x = rng().standard_normal((*lead, H_kv, T, D))
    np.testing.assert_array_equal(repeat_kv(x, n_rep), oracle.repeat_kv(x, n_rep)[0])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 99), LEADS, SIZES, SIZES, SIZES, SIZES, st.sampled_from(("none", "all", "heads", "sequences")))
def test_both_attentions_agree_with_a_plain_loop(seed, lead, T, H_kv, n_rep, D, kind):
    generator = rng(seed)
    *arrays, H, H_kv = layer(generator, lead, T, H_kv, n_rep, D)
    shape = {"none": None, "all": (T, T), "heads": (H, T, T), "sequences": (*lead, 1, T, T)}[kind]
    mask = () if shape is None else (some_mask(generator, *shape),)
    for got, want in zip(
        grouped_query_attention(*arrays, H, H_kv, *mask),
        oracle.grouped_query_attention(*arrays, H, H_kv, *mask),
        strict=True,
    ):
        assert got.shape == want.shape
        np.testing.assert_allclose(got, want, rtol=0, atol=1e-10)
    if H_kv == H:
        for got, want in zip(
            multi_head_attention(*arrays, H, *mask), grouped_query_attention(*arrays, H, H, *mask), strict=True
        ):
            np.testing.assert_allclose(got, want, rtol=0, atol=1e-12)


def test_a_group_computes_what_multi_head_attention_does_with_copied_projections():
    X, W_q, W_k, W_v, W_o, H, H_kv = layer(rng(), (2,), 5, 2, 3, 4)

    def copied(W):
        return np.repeat(W.reshape(len(W), H_kv, -1), H // H_kv, axis=1).reshape(len(W), -1)

    shared, _ = grouped_query_attention(X, W_q, W_k, W_v, W_o, H, H_kv)
    multi, _ = multi_head_attention(X, W_q, copied(W_k), copied(W_v), W_o, H)
    np.testing.assert_allclose(shared, multi, rtol=0, atol=1e-12)


def test_one_head_is_plain_attention():
    X, W_q, W_k, W_v, W_o, *_ = layer(rng(), (), 5, 1, 1, 6)
    out, weights = multi_head_attention(X, W_q, W_k, W_v, W_o, 1, first_lab.causal_mask(5))
    plain, plain_weights = first_lab.causal_self_attention(X, W_q, W_k, W_v)
    np.testing.assert_allclose(out, plain @ W_o, rtol=0, atol=1e-12)
    np.testing.assert_allclose(weights[0], plain_weights, rtol=0, atol=1e-12)


def test_the_given_helpers_are_those_of_the_first_lab():
    generator = rng()
    Q, K, V = (generator.standard_normal(s) for s in ((2, 3, 4), (2, 5, 4), (2, 5, 6)))
    mask = generator.random((3, 5)) < 0.7
    mask[:, 0] = True
    for ours, theirs in zip(multihead.attention(Q, K, V, mask), first_lab.attention(Q, K, V, mask), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-14)
    np.testing.assert_allclose(multihead.softmax(Q * 1e4), first_lab.softmax(Q * 1e4), rtol=0, atol=0)


def test_sizes_that_do_not_go_together_are_refused_in_words():
    X, W_q, W_k, W_v, W_o, H, _ = layer(rng(), (), 3, 2, 2, 3)
    with pytest.raises(ValueError, match="12 is not divisible by n_heads = 5"):
        split_heads(X, 5)
    with pytest.raises(ValueError, match="12 is not divisible by n_heads = 5"):
        multi_head_attention(X, W_q, W_q, W_q, W_o, 5)
    with pytest.raises(ValueError, match="4 is not a multiple of n_kv_heads = 3"):
        grouped_query_attention(X, W_q, W_k, W_v, W_o, H, 3)


def test_the_cache_is_counted_exactly_in_integers():
    assert kv_cache_bytes(32, 8, 128, 8192) == 2**30
    assert kv_cache_bytes(30, 3, 64, 1) == 23_040
    assert kv_cache_bytes(2**20 + 1, 2**20 + 1, 3, 2**20 + 1, 3, 1) == 18 * (2**20 + 1) ** 3
    assert type(kv_cache_bytes(1, 1, 1, 1)) is int


def test_float32_stays_float32_and_inputs_stay_as_they_were():
    *arrays, H, H_kv = layer(rng(), (2,), 4, 2, 3, 2, np.float32)
    before = [a.copy() for a in arrays]
    for array in arrays:
        array.setflags(write=False)
    out, weights = grouped_query_attention(*arrays, H, H_kv, np.tri(4, dtype=bool))
    assert (out.dtype, weights.dtype) == (np.float32, np.float32)
    for now, then in zip(arrays, before, strict=True):
        np.testing.assert_array_equal(now, then)


@needs_torch
@pytest.mark.parametrize("masked", [False, True])
def test_multi_head_attention_is_that_of_torch(masked):
    import torch

    B, T, H, D = 2, 5, 3, 4
    X, W_q, W_k, W_v, W_o, *_ = layer(rng(1), (B,), T, H, 1, D)
    theirs = torch.nn.MultiheadAttention(H * D, H, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.from_numpy(np.concatenate([W_q.T, W_k.T, W_v.T])))  # torch stores transposes
        theirs.out_proj.weight.copy_(torch.from_numpy(W_o.T.copy()))
        mask = some_mask(rng(2), T, T) if masked else None
        tokens = torch.from_numpy(X)
        blocked = None if mask is None else torch.from_numpy(~mask)  # there True means hidden
        out, weights = theirs(tokens, tokens, tokens, attn_mask=blocked, average_attn_weights=False)
    ours, our_weights = multi_head_attention(X, W_q, W_k, W_v, W_o, H, mask)
    np.testing.assert_allclose(ours, out.numpy(), rtol=0, atol=1e-12)
    np.testing.assert_allclose(our_weights, weights.numpy(), rtol=0, atol=1e-12)


@needs_torch
@pytest.mark.parametrize("H_kv", [1, 2, 6])
@pytest.mark.parametrize("causal", [False, True])
def test_grouped_query_attention_is_that_of_torch(H_kv, causal):
    import torch

    B, T, H, D = 3, 7, 6, 4
    X, W_q, W_k, W_v, W_o, *_ = layer(rng(3), (B,), T, H_kv, H // H_kv, D, np.float32)
    heads = (split_heads(X @ W, n).copy() for W, n in ((W_q, H), (W_k, H_kv), (W_v, H_kv)))
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *map(torch.from_numpy, heads), is_causal=causal, enable_gqa=True
    )
    mask = np.tri(T, dtype=bool) if causal else None
    ours, _ = grouped_query_attention(X, W_q, W_k, W_v, W_o, H, H_kv, mask)
    np.testing.assert_allclose(ours, merge_heads(theirs.numpy()) @ W_o, rtol=0, atol=1e-5)


def test_the_picture_of_the_trap_measures_what_the_lesson_says():
    def reach(split, merge):
        return pictures._influence(6, 6, split, merge, seed=0)

    right = reach(lambda x: split_heads(x, 3), merge_heads)
    alone = reach(lambda x: x.reshape(3, 6, 2), lambda x: x.reshape(6, 6))
    np.testing.assert_array_equal(right, np.tri(6, dtype=bool))
    np.testing.assert_array_equal(alone, np.tri(6, dtype=bool) & np.kron(np.eye(3), np.ones((2, 2))).astype(bool))


@pytest.mark.parametrize("draw", [pictures.reshape_trap, pictures.who_reaches_whom, pictures.sharing])
def test_every_picture_becomes_a_png(draw):
    assert draw()._repr_png_().startswith(b"\x89PNG")
