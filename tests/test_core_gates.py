"""The core of lab gates against plain loops and torch, and the experiment: gradients, same start, what it shows."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from attnlab import gates
from attnlab.labs.gates import experiment, oracle, pictures
from attnlab.labs.model import Raises

PLACES = ("G1", "G2", "G3", "G4", "G5")
LEADS = st.lists(st.integers(1, 3), max_size=2).map(tuple)
SMALL = st.floats(-2, 2, width=32)
TINY = experiment.Setting(vocabulary=7, n_triggers=2, T=5, d_model=6, n_heads=2, batch=3, steps=4, looks=2)


@st.composite
def gated(draw):
    """Arguments of gated attention: any place, width, activation, combination, mask; H and D may coincide."""
    lead, T, H, D = draw(LEADS), draw(st.integers(1, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 3))
    position = draw(st.sampled_from(PLACES))
    d_model = H * D
    width = draw(st.sampled_from((d_model, 1) if position == "G5" else (d_model, H, 1)))
    X, W_gate, *W = (
        draw(hnp.arrays(np.float64, s, elements=SMALL))
        for s in ((*lead, T, d_model), (d_model, width), *[(d_model,) * 2] * 4)
    )
    mask = draw(st.sampled_from((None, np.tri(T, dtype=bool))))
    options = draw(st.sampled_from(("sigmoid", "silu"))), draw(st.sampled_from(("multiply", "add")))
    return X, *W, W_gate, H, position, *options, mask


@settings(max_examples=60)
@given(gated())
def test_gated_attention_agrees_with_a_plain_loop(args):
    for got, expected in zip(
        gates.gated_multi_head_attention(*args), oracle.gated_multi_head_attention(*args), strict=True
    ):
        assert got.shape == expected.shape
        np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("lead", [(), (2,), (3, 2)])
@pytest.mark.parametrize(("width", "axes"), [(12, (3, 4)), (3, (3, 1)), (4, (1, 4)), (1, (1, 1))])
def test_the_width_of_the_projection_says_who_shares_a_gate(lead, width, axes):
    rng = np.random.default_rng(0)
    X, W_gate = rng.standard_normal((*lead, 5, 12)), rng.standard_normal((12, width))
    gate = gates.gate_values(X, W_gate, 3)
    assert gate.shape == (*lead, axes[0], 5, axes[1])
    np.testing.assert_allclose(np.broadcast_to(gate, (*lead, 3, 5, 4)), oracle.gate_values(X, W_gate, 3)[0], atol=1e-12)


@given(hnp.arrays(np.float64, (2, 5), elements=st.floats(-1e6, 1e6)))
def test_the_activations_agree_with_a_plain_loop(x):
    np.testing.assert_allclose(gates.sigmoid(x), oracle.sigmoid(x)[0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(gates.silu(x), oracle.silu(x)[0], rtol=1e-12, atol=1e-12)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("activation", [gates.sigmoid, gates.silu])
def test_the_activations_neither_overflow_nor_warn(activation):
    assert np.isfinite(activation(np.array([-1e300, -1e4, 0.0, 1e4, 1e300]))).all()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({5: np.zeros((12, 5))}, "width 5"),
        ({5: np.zeros((12, 3)), 7: "G5"}, "width 3"),
        ({5: np.zeros((12, 4)), 7: "G5"}, "width 4"),
        ({7: "G6"}, "'G6'"),
        ({8: "relu"}, "'relu'"),
        ({9: "subtract"}, "'subtract'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(change, sentence):
    args = [np.zeros((2, 12)), *[np.zeros((12, 12))] * 5, 3, "G1", "sigmoid", "multiply"]
    for number, value in change.items():
        args[number] = value
    with pytest.raises(ValueError, match=sentence):
        gates.gated_multi_head_attention(*args)
    assert isinstance(oracle.gated_multi_head_attention(*args)[0], Raises)


def test_no_gate_changes_the_weights_but_one_on_queries_or_keys():
    rng = np.random.default_rng(1)
    X, *W = (rng.standard_normal(s) for s in ((5, 12), *[(12, 12)] * 5))
    plain = gates.attention(*(gates.split_heads(X @ W_, 3) for W_ in W[:3]))[1]
    changed = {p for p in PLACES if not np.allclose(gates.gated_multi_head_attention(X, *W, 3, p)[1], plain)}
    assert changed == {"G3", "G4"}


@pytest.mark.parametrize("place", ["G1", "G2", "G5"])
def test_a_projection_of_zeros_halves_the_output(place):
    rng = np.random.default_rng(2)
    X, *W = (rng.standard_normal(s) for s in ((4, 6), *[(6, 6)] * 4))
    open_wide = gates.merge_heads(gates.attention(*(gates.split_heads(X @ W_, 2) for W_ in W[:3]))[0]) @ W[3]
    np.testing.assert_allclose(gates.gated_multi_head_attention(X, *W, np.zeros((6, 6)), 2, place)[0], open_wide / 2)


def test_float32_stays_float32():
    rng = np.random.default_rng(3)
    X, *W = (rng.standard_normal(s, dtype=np.float32) for s in ((2, 4, 6), *[(6, 6)] * 5))
    for place in PLACES:
        for activation in ("sigmoid", "silu"):
            found = gates.gated_multi_head_attention(X, *W, 2, place, activation)
            assert {a.dtype for a in found} == {np.dtype(np.float32)}


def test_the_measures_count_as_the_lesson_says():
    weights = np.array([[1.0, 0, 0], [0.75, 0.25, 0], [0.5, 0.25, 0.25]])
    assert gates.sink_share(weights) == pytest.approx(0.625)
    assert gates.gate_sparsity(np.array([-0.2, 0.05, 0.1, 0.7])) == 0.5  # 0.1 itself is not below 0.1
    assert gates.gate_sparsity(np.array([0.25, 0.5]), 0.5) == 0.5


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch is not installed; make test installs it")
@pytest.mark.parametrize("activation", ["sigmoid", "silu"])
@pytest.mark.parametrize("place", PLACES)
def test_the_same_numbers_as_torch(place, activation):
    import torch
    import torch.nn.functional as F

    rng = np.random.default_rng(4)
    arrays = [rng.standard_normal(s).astype(np.float32) for s in ((2, 7, 12), *[(12, 12)] * 5)]
    out, _ = gates.gated_multi_head_attention(*arrays, 3, place, activation, mask=np.tri(7, dtype=bool))
    x, w_q, w_k, w_v, w_o, w_gate = map(torch.from_numpy, arrays)
    gate = {"sigmoid": torch.sigmoid, "silu": F.silu}[activation](x @ w_gate)

    def at(here, flat):
        return flat * gate if here == place else flat

    q, k, v = (
        at(here, x @ w).unflatten(-1, (3, 4)).transpose(1, 2) for here, w in (("G4", w_q), ("G3", w_k), ("G2", w_v))
    )
    found = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(-2)
    expected = at("G5", at("G1", found) @ w_o)
    np.testing.assert_allclose(out, expected.numpy(), rtol=1e-5, atol=2e-5)


# the experiment


@pytest.mark.parametrize("gated", [False, True])
def test_the_backward_pass_equals_central_differences(gated):
    rng = np.random.default_rng(0)
    tokens, targets = experiment.sequences(TINY, experiment.transitions(TINY), rng, 3)
    w = experiment.initial_weights(TINY, gated, 0, np.float64)
    if gated:
        w["W_gate"] = rng.standard_normal(w["W_gate"].shape)
    grad = experiment.backward(w, experiment.forward(w, tokens, 2), targets)
    assert grad.keys() == w.keys()

    def loss():
        return experiment.losses(experiment.forward(w, tokens, 2), targets).mean()

    for name, array in w.items():
        for index in map(tuple, rng.integers(0, array.shape, (6, array.ndim))):
            kept = array[index]
            array[index] = kept + 1e-5
            up = loss()
            array[index] = kept - 1e-5
            down = loss()
            array[index] = kept
            assert grad[name][index] == pytest.approx((up - down) / 2e-5, abs=1e-8), (name, index)


def test_after_a_trigger_comes_the_token_before_it():
    setting = experiment.Setting()
    tokens, targets = experiment.sequences(setting, experiment.transitions(setting), np.random.default_rng(1), 200)
    b, t = np.nonzero(experiment.is_trigger(setting, tokens))
    assert len(b) > 200
    assert (t > 0).all()  # the first token is never one
    np.testing.assert_array_equal(targets[b, t], tokens[b, t - 1])
    np.testing.assert_array_equal(tokens[:, 1:], targets[:, :-1])


def test_both_models_start_alike_and_read_the_same():
    plain, gated = (experiment.initial_weights(TINY, g, 5) for g in (False, True))
    assert gated.keys() - plain.keys() == {"W_gate"}
    assert all((plain[name] == gated[name]).all() for name in plain)
    first, again = experiment.run(TINY), experiment.run(TINY)
    assert [(r.gated, r.seed) for r in first] == [(False, 0), (True, 0)]
    assert [r.loss for r in first] == [r.loss for r in again]
    np.testing.assert_allclose(first[0].sink[0], first[1].sink[0], rtol=1e-6)  # the very same weights at step 0


def test_training_opens_the_gates_where_attention_is_needed():
    setting = replace(experiment.Setting(), steps=250, looks=2)
    run = experiment.train(setting, True, 0)
    assert run.loss[-1] < run.loss[0] - 1
    assert run.gate_at_triggers > 0.7
    assert run.gate_elsewhere < 0.4
    assert np.isfinite(run.loss + run.sink + run.activation).all()


def test_the_pictures_are_drawn():
    runs = experiment.run(TINY)
    rng = np.random.default_rng(0)
    shapes = {str(s): rng.random(s) for s in ((3, 5, 4), (3, 5, 1), (1, 5, 4), (1, 5, 1))}
    for figure in (
        pictures.places(),
        pictures.gate_shapes(shapes),
        pictures.training(runs),
        pictures.where_heads_look(runs),
    ):
        assert len(figure._repr_png_()) > 10_000
