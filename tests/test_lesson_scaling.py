"""The lesson of lab scaling: its cells print what its prose says, its pictures draw the stated numbers."""

import re
import warnings

import numpy as np
import pytest
from matplotlib import pyplot

from attnlab import scaling as core
from attnlab.labs.scaling import LAB, pictures
from attnlab.scaling import softmax_backward, softmax_jacobian

# What the course states for default_rng(0): d_k, std, max weight without and with, Jacobian without and with.
STATED = [
    ("4", "2.00", "0.43", "0.24", "0.322", "0.297"),
    ("16", "4.05", "0.68", "0.25", "0.279", "0.304"),
    ("64", "8.04", "0.85", "0.25", "0.175", "0.305"),
    ("128", "11.26", "0.89", "0.25", "0.136", "0.304"),
    ("512", "22.61", "0.95", "0.25", "0.072", "0.305"),
]


def cell(name, namespace, capsys):
    """Run one given cell of the lesson behind the setup, with the core's functions, and return what it prints."""
    text = LAB.folder.joinpath("cells.py").read_text(encoding="utf-8")
    regions = dict(re.findall(r"^# %% (\w+)\n(.*?)(?=^# %% |\Z)", text, re.MULTILINE | re.DOTALL))
    exec(regions["setup"], namespace)
    capsys.readouterr()
    exec(regions[name], namespace)
    return capsys.readouterr().out


@pytest.fixture
def namespace():
    return {name: getattr(core, name) for name in ("softmax", *LAB.functions)}


def test_the_lesson_prints_the_stated_table_digit_by_digit(namespace, capsys):
    lines = cell("table", namespace, capsys).splitlines()
    assert [tuple(line.split()) for line in lines[2:]] == STATED


def test_the_table_depends_on_the_students_own_jacobian(namespace, capsys):
    lines = cell("table", namespace | {"softmax_jacobian": lambda p: 2 * softmax_jacobian(p)}, capsys).splitlines()
    assert [tuple(line.split())[:4] for line in lines[2:]] == [row[:4] for row in STATED]
    assert lines[2].split()[4] == "0.644"


@pytest.mark.parametrize("language", ["en", "ru"])
def test_the_numbers_in_the_prose_are_those_of_the_cells(language, namespace, capsys):
    prose = LAB.folder.joinpath(f"lesson.{language}.md").read_text(encoding="utf-8").replace("{,}", ".")
    prose = re.sub(r"(?<=\d),(?=\d)", ".", prose)
    p, g = np.array([0.5, 0.25, 0.25]), np.array([2.0, -1.0, 0.0])
    for number in (*softmax_jacobian(p).ravel(), *softmax_backward(p, g)):
        assert f"{abs(number):g}" in prose
    assert "0.0099" in prose
    assert "0.1875" in prose
    assert re.search(r"0\.322.+0\.072", prose, re.DOTALL)
    starving = cell("starving", namespace, capsys).splitlines()[0]
    assert starving.endswith("e-42")  # the forty-second decimal place
    blur = cell("blur", namespace, capsys).splitlines()
    assert "0.059" in blur[2]  # "0.06 among 8192"


def test_central_differences_in_the_lesson_agree_with_the_gradients(namespace, capsys):
    printed = cell("differences", namespace, capsys)
    sizes = [float(size) for size in re.findall(r"difference (\S+)", printed)]
    assert len(sizes) == 3
    assert max(sizes) < 1e-8


def test_the_long_rows_of_the_lesson_are_tried_only_where_memory_grows_with_their_length(namespace, capsys):
    assert re.search(r"^16384 keys: .+ MiB", cell("long_row", namespace, capsys), re.MULTILINE)

    def whole_jacobian(p, grad_p):
        assert p.shape[-1] <= 512  # of 16384 keys the Jacobians would take 128 GiB
        return np.einsum("...ij,...j->...i", softmax_jacobian(p), grad_p)

    def row_by_row(p, grad_p):
        return np.array([whole_jacobian(*row) for row in zip(p, grad_p, strict=True)])

    for wasteful in (whole_jacobian, row_by_row):
        printed = cell("long_row", namespace | {"softmax_backward": wasteful}, capsys)
        assert "not tried here" in printed


# pictures


@pytest.fixture
def drawn():
    return {name: getattr(pictures, name)() for name in ("saturation", "experiment", "long_context")}


def words(figure):
    said = [text.get_text() for axes in figure.axes for text in (axes.title, axes.xaxis.label, axes.yaxis.label)]
    return [text for text in said if text]


def test_every_picture_renders_without_a_warning_and_leaves_pyplot_alone(request, capfd):
    before = pyplot.get_fignums()
    drawn = request.getfixturevalue("drawn")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # a Cyrillic letter the font lacks would be a warning
        assert all(len(figure._repr_png_()) > 5000 for figure in drawn.values())
    assert capfd.readouterr() == ("", "")
    assert pyplot.get_fignums() == before


def test_every_picture_speaks_both_languages(drawn):
    for name, figure in drawn.items():
        assert any(re.search("[а-яё]", text) for text in words(figure)), name
        assert any(re.search("[a-z]{4}", text) for text in words(figure)), name


def test_the_experiment_is_drawn_with_the_numbers_of_the_table(drawn):
    spread, largest, slope = drawn["experiment"].axes
    shown = [
        [f"{y:.{digits}f}" for y in axes.lines[line].get_ydata()]
        for axes, line, digits in ((spread, 0, 2), (largest, 0, 2), (largest, 1, 2), (slope, 0, 3), (slope, 1, 3))
    ]
    assert list(zip(*shown, strict=True)) == [row[1:] for row in STATED]


def test_the_saturated_jacobian_is_drawn_paler_than_the_scaled_one_in_the_same_colours(drawn):
    images = [axes.images[0] for axes in drawn["saturation"].axes if axes.images]
    without, with_scale = (image.get_array() for image in images)
    assert np.linalg.norm(without) < 0.6 * np.linalg.norm(with_scale)
    assert len({image.get_clim() for image in images}) == 1


def test_with_the_factor_a_key_keeps_its_weight_over_ten_doublings(drawn):
    without, with_factor = (line.get_ydata() for line in drawn["long_context"].axes[0].lines[:2])
    assert max(without) - min(without) > 0.8
    assert max(with_factor) - min(with_factor) < 0.1
