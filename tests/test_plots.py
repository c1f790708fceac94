"""The lessons' pictures show the right numbers, carry their labels, and render without a word on stderr."""

import math
import warnings

import numpy as np
import pytest
from matplotlib import pyplot

from attnlab import plots
from attnlab.attention import attention, causal_mask

Q = np.array([[2.0, 0.0], [0.0, 2.0], [1.0, 1.0]])
K = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
TOKENS = ["карп", "прыгает", "через"]

# What the course states for default_rng(0): d_k, std, max weight without and with, Jacobian without and with.
STATED = [
    ("4", "2.00", "0.43", "0.24", "0.322", "0.297"),
    ("16", "4.05", "0.68", "0.25", "0.279", "0.304"),
    ("64", "8.04", "0.85", "0.25", "0.175", "0.305"),
    ("128", "11.26", "0.89", "0.25", "0.136", "0.304"),
    ("512", "22.61", "0.95", "0.25", "0.072", "0.305"),
]


def words(figure):
    return [text.get_text() for axes in figure.axes for text in axes.texts]


def ticks(axes):
    return tuple([label.get_text() for label in axis.get_ticklabels()] for axis in (axes.xaxis, axes.yaxis))


@pytest.fixture
def weights():
    return attention(Q, K, K, causal_mask(3))[1]


@pytest.fixture
def pictures(weights):
    return {
        "weights_heatmap": plots.weights_heatmap(weights, TOKENS, "Веса"),
        "mask_picture": plots.mask_picture(causal_mask(4)),
        "mask_mistakes": plots.mask_mistakes(Q, K, TOKENS),
        "pipeline": plots.pipeline(),
        "scaling_experiment": plots.scaling_experiment(),
    }


def test_the_scaling_table_is_the_stated_one_digit_by_digit():
    measured = [
        (str(row.d_k), f"{row.std:.2f}", *(f"{x:.2f}" for x in row.max_weight), *(f"{x:.3f}" for x in row.jacobian))
        for row in plots.scaling_table()
    ]
    assert measured == STATED


def test_the_jacobian_norm_is_that_of_the_whole_matrix():
    p = np.random.default_rng(0).dirichlet(np.ones(5), size=3)
    whole = [math.sqrt(sum((a * ((i == j) - b)) ** 2 for i, a in enumerate(r) for j, b in enumerate(r))) for r in p]
    np.testing.assert_allclose(plots._jacobian_norm(p), whole, rtol=1e-12)


def test_every_picture_renders_to_png_with_no_warning_and_nothing_printed(pictures, capfd):
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a Cyrillic letter the font lacks would be a warning
        for name, figure in pictures.items():
            png = figure._repr_png_()
            assert png.startswith(b"\x89PNG\r\n\x1a\n"), name
            assert len(png) > 5000, name
    assert capfd.readouterr() == ("", "")


def test_pyplot_holds_no_figure_that_a_notebook_would_show_a_second_time(request):
    before = pyplot.get_fignums()
    assert request.getfixturevalue("pictures")
    assert pyplot.get_fignums() == before


def test_a_notebook_shows_a_picture_exactly_once_as_png(pictures):
    formatters = pytest.importorskip("IPython.core.formatters")
    data, _ = formatters.DisplayFormatter().format(pictures["mask_picture"])
    assert [kind for kind in data if kind.startswith("image/")] == ["image/png"]


def test_a_heatmap_names_the_tokens_and_writes_every_weight(weights):
    figure = plots.weights_heatmap(weights, TOKENS, "Веса")
    axes = figure.axes[0]
    assert ticks(axes) == (TOKENS, TOKENS)
    assert axes.get_title() == "Веса"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("keys · ключи", "queries · запросы")
    assert words(figure) == ["1.00", "0.00", "0.00", "0.20", "0.80", "0.00", "0.25", "0.25", "0.50"]


@pytest.mark.parametrize("mask", [None, causal_mask(3)], ids=["no mask", "causal"])
def test_a_heatmap_hatches_the_future_and_nothing_else(mask):
    figure = plots.weights_heatmap(attention(Q, K, K, mask)[1], TOKENS)
    hatched = {(patch.get_y() + 0.5, patch.get_x() + 0.5) for patch in figure.axes[0].patches if patch.get_hatch()}
    assert hatched == {(0, 1), (0, 2), (1, 2)}


def test_a_heatmap_of_cross_attention_has_no_future_and_numbers_its_queries():
    figure = plots.weights_heatmap(np.full((2, 3), 1 / 3), TOKENS)
    assert ticks(figure.axes[0]) == (TOKENS, ["0", "1"])
    assert not figure.axes[0].patches
    assert not figure.axes[0].lines


def test_a_batch_or_a_missing_name_is_refused_with_the_reason(weights):
    with pytest.raises(ValueError, match=r"one matrix .* got shape \(1, 3, 3\)"):
        plots.weights_heatmap(weights[None], TOKENS)
    with pytest.raises(ValueError, match="2 token names for 3 keys"):
        plots.mask_picture(causal_mask(3), TOKENS[:2])


def test_a_mask_is_ticked_where_it_is_true():
    figure = plots.mask_picture([[True, False], [True, True]])
    assert words(figure) == ["✓", "−∞", "✓", "✓"]
    assert ticks(figure.axes[0]) == (["0", "1"], ["0", "1"])


def test_the_slips_are_six_panels_and_show_the_numbers_of_the_lesson():
    figure = plots.mask_mistakes(Q, K, TOKENS)
    panels = {axes.get_title(): [text.get_text() for text in axes.texts] for axes in figure.axes}
    right, zero, after, swapped, ahead, behind = panels.values()
    assert right[:3] == ["1.00", "0.00", "0.00"]
    assert zero[:3] == ["0.67", "0.16", "0.16"]
    assert after[-3:] == ["Σ = 0.45", "Σ = 0.55", "Σ = 1.00"]
    assert swapped[-1] == "Σ = nan"
    assert ahead[:3] == ["0.80", "0.20", "0.00"]
    assert behind[-3] == "Σ = nan"


def test_the_pipeline_shows_six_numbered_steps_in_both_languages_with_shapes(pictures):
    shown = words(pictures["pipeline"])
    assert [word for word in shown if word.isdigit()] == ["1", "2", "3", "4", "5", "6"]
    assert {"project\nпроекции", "mask\nмаска", "average\nсреднее"} <= set(shown)
    assert shown.count(r"$(T,\ T)$") == 4


def test_the_scaling_experiment_plots_the_table_against_d_k(pictures):
    rows = plots.scaling_table()
    for axes, name in zip(pictures["scaling_experiment"].axes, ("max_weight", "jacobian"), strict=True):
        assert axes.get_xlabel() == "$d_k$"
        assert axes.get_legend() is not None
        assert len(axes.lines) == 2
        for which, line in enumerate(axes.lines):
            np.testing.assert_allclose(line.get_xdata(), [4, 16, 64, 128, 512])
            np.testing.assert_allclose(line.get_ydata(), [getattr(row, name)[which] for row in rows])
