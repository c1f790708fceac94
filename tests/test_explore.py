"""The explorer: weights that follow the controls, in both languages, and a still picture where there are no widgets."""

import sys
from xml.etree import ElementTree

import numpy as np
import pytest

from attnlab import explorer, texts
from attnlab.explorer import WIDTHS, drawing, panel, still, weights_for
from attnlab.plots import Picture

TOKENS = ["carp", "leaps", "over", "the", "golden", "gate"]
TRIANGLE = np.tri(len(TOKENS), dtype=bool)


@pytest.mark.parametrize("d_k", WIDTHS)
@pytest.mark.parametrize("scale", [True, False])
@pytest.mark.parametrize("mask", [True, False])
def test_rows_sum_to_one_and_the_mask_hides_the_future(d_k, scale, mask):
    weights = weights_for(TOKENS, d_k, scale, mask).weights
    np.testing.assert_allclose(weights.sum(axis=-1), 1)
    assert (weights[~TRIANGLE] == 0).all() == mask


def test_without_the_scale_the_largest_weights_grow_with_d_k():
    def largest(d_k, scale):
        return np.mean([weights_for(TOKENS, d_k, scale, False, seed=s).weights.max(axis=-1).mean() for s in range(20)])

    assert largest(256, False) > 0.9 > largest(256, True)
    assert largest(256, False) > largest(4, False)


def test_at_d_k_one_the_scale_changes_nothing():
    np.testing.assert_allclose(weights_for(TOKENS, 1, True).weights, weights_for(TOKENS, 1, False).weights)


def test_the_gate_leaves_the_weights_alone():
    shut, gated = weights_for(TOKENS, 16, gate=False), weights_for(TOKENS, 16, gate=True)
    assert (shut.weights == gated.weights).all()
    assert (shut.gate == 1).all()
    assert ((gated.gate > 0) & (gated.gate < 1)).all()


def test_another_seed_gives_other_weights_and_the_same_seed_the_same():
    one, again, other = (weights_for(TOKENS, 16, seed=s).weights for s in (0, 0, 1))
    assert (one == again).all()
    assert not np.allclose(one, other)


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_the_drawing_is_well_formed_and_names_the_token(lang):
    tokens = ["a<b", "&", "c"]
    text = drawing(lang, tokens, token=0, d_k=16, scale=True, mask=True, gate=True, seed=0)
    root = ElementTree.fromstring(f"<div>{text}</div>")
    assert "a<b" in "".join(root.itertext())
    assert len(root.findall(".//{http://www.w3.org/2000/svg}svg")) == 2
    assert "script" not in text


@pytest.fixture
def controls():
    """The English panel and its controls by name."""
    pytest.importorskip("ipywidgets", reason="ipywidgets is not installed: nothing to draw on")
    box = panel("en")
    (token, d_k, seed), (scale, mask, gate) = (row.children for row in box.children[:2])
    return {
        "picture": box.children[2], "token": token, "d_k": d_k, "seed": seed, "scale": scale, "mask": mask, "gate": gate
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "value"), [("token", 2), ("d_k", 256), ("scale", False), ("mask", False), ("gate", True)]
)
def test_the_picture_follows_each_control(controls, name, value):
    controls["token"].value = 4
    before = controls["picture"].value
    controls[name].value = value
    settings = {"token": 4, "d_k": 16, "scale": True, "mask": True, "gate": False} | {name: value}
    assert controls["picture"].value == drawing("en", TOKENS, seed=0, **settings) != before


def test_the_button_draws_other_numbers(controls):
    before = controls["picture"].value
    controls["seed"].click()
    assert controls["picture"].value != before


@pytest.mark.parametrize("lang", texts.LANGUAGES)
def test_labels_are_in_the_language_asked_for(lang):
    pytest.importorskip("ipywidgets", reason="ipywidgets is not installed: nothing to draw on")
    scale, mask, gate = panel(lang).children[1].children
    assert mask.description == texts.say(lang, "explore.mask")
    assert len({scale.description, mask.description, gate.description}) == 3


def test_outside_a_kernel_there_is_a_still_picture_and_a_sentence_why(capsys):
    assert isinstance(explorer.explore("ru"), Picture)
    assert "ipywidgets" in capsys.readouterr().out


def test_without_ipywidgets_too(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    monkeypatch.setattr("attnlab.explorer.is_live", lambda: True)
    assert isinstance(explorer.explore("en"), Picture)
    assert capsys.readouterr().err == ""


def test_in_a_kernel_there_is_the_panel(monkeypatch):
    widgets = pytest.importorskip("ipywidgets", reason="ipywidgets is not installed: nothing to draw on")
    monkeypatch.setattr("attnlab.explorer.is_live", lambda: True)
    assert isinstance(explorer.explore("en"), widgets.VBox)


def test_the_still_picture_shows_four_settings():
    figure = still("en")
    assert len({axes.get_title() for axes in figure.axes}) == 4
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_an_unknown_language_is_refused():
    with pytest.raises(ValueError, match="languages are en, ru"):
        explorer.explore("xx")
