"""Pictures of lab `scaling`: softmax with and without slope, the experiment over d_k, attention over long contexts."""

import math

import numpy as np

from attnlab.plots import BLUE, GREY, ORANGE, Picture, scaling_table
from attnlab.scaling import attention_entropy, log_n_scale, softmax, softmax_jacobian

WITHOUT, WITH = (ORANGE, "o-"), (BLUE, "s--")  # colour and style of what is not scaled and of what is


def saturation(d_k=64, n_keys=12, seed=0):
    """Draw the weights of one random query and their Jacobian, without and with the scale 1/√d_k.

    Parameters
    ----------
    d_k, n_keys, seed : int
        Width, number of random keys, and seed of the random numbers.

    Returns
    -------
    figure : Picture
        Above without the scale, below with it; to the right each Jacobian, both in the same colours.
    """
    rng = np.random.default_rng(seed)
    q, K = rng.standard_normal(d_k), rng.standard_normal((n_keys, d_k))  # (d_k,), (n, d_k)
    scores = K @ q  # (n, d_k) @ (d_k,) -> (n,)
    figure = Picture(figsize=(9.6, 6.0), layout="constrained")
    grid = figure.subplots(2, 2, width_ratios=(1.35, 1))
    names = (r"softmax$(q \cdot k)$", r"softmax$(q \cdot k\,/\,\sqrt{d_k})$")
    cases = ((scores, ORANGE, names[0]), (scores / math.sqrt(d_k), BLUE, names[1]))
    for (bars, matrix), (s, colour, name) in zip(grid, cases, strict=True):
        p = softmax(s)  # (n,)
        jacobian = softmax_jacobian(p)  # (n, n)
        bars.bar(range(n_keys), p, color=colour)
        for j, weight in enumerate(p):
            bars.text(j, weight + 0.015, f"{weight:.2f}", ha="center", va="bottom", fontsize=8)
        bars.set(ylim=(0, 1.08), xticks=range(n_keys), xlabel="key · ключ", ylabel="weight · вес")
        bars.set_title(f"{name},  $d_k = {d_k}$", fontsize=11)
        image = matrix.imshow(jacobian, cmap="RdBu_r", vmin=-0.15, vmax=0.15)  # (n, n)
        matrix.set(xticks=range(0, n_keys, 2), yticks=range(0, n_keys, 2))
        matrix.set_xlabel("score moved · сдвинутая оценка")
        matrix.set_ylabel("weight · вес")
        norm = float(np.linalg.norm(jacobian))
        matrix.set_title(f"slope · наклон:  $\\|J\\|_F = {norm:.3f}$", fontsize=11)
        figure.colorbar(image, ax=matrix, shrink=0.85)
    return figure


def experiment():
    """Draw the table of the lesson: spread of the scores, largest weight and slope of softmax against d_k.

    Returns
    -------
    figure : Picture
        Three panels, each with one line without and one with the scale.
    """
    rows = scaling_table()
    widths = [row.d_k for row in rows]
    figure = Picture(figsize=(11.4, 3.9), layout="constrained")
    spread, largest, slope = figure.subplots(1, 3)
    spreads = [row.std for row in rows]
    scaled = [row.std / math.sqrt(row.d_k) for row in rows]
    lines = {
        spread: ("spread of the scores\nразброс оценок", spreads, scaled),
        largest: (
            "largest of 16 weights\nнаибольший из 16 весов",
            [row.max_weight[0] for row in rows], [row.max_weight[1] for row in rows],
        ),
        slope: (
            r"slope of softmax, $\|J\|_F$" + "\n" + r"наклон softmax, $\|J\|_F$",
            [row.jacobian[0] for row in rows], [row.jacobian[1] for row in rows],
        ),
    }  # fmt: skip
    for axes, (title, without, with_scale) in lines.items():
        axes.plot(widths, without, WITHOUT[1], color=WITHOUT[0], lw=2, label=r"$q \cdot k$")
        axes.plot(widths, with_scale, WITH[1], color=WITH[0], lw=2, label=r"$q \cdot k\,/\,\sqrt{d_k}$")
        axes.set_xscale("log", base=2)
        axes.set_xticks(widths, [str(width) for width in widths])
        axes.minorticks_off()
        axes.set(xlabel="$d_k$", ylim=(0, None))
        axes.set_title(title, fontsize=10.5)
        axes.grid(alpha=0.3)
        axes.legend()
    spread.plot(widths, np.sqrt(widths), ":", color="black", lw=1.5, zorder=3, label=r"$\sqrt{d_k}$")
    spread.legend()
    largest.set_ylim(0, 1)
    return figure


def long_context(n_train=512, lengths=tuple(2**i for i in range(5, 15)), seed=0):
    """Draw what a longer context does to one key that stands out, with and without the log-n factor.

    Parameters
    ----------
    n_train : int
        Number of keys in training, where the key that stands out has half of the weight.
    lengths : sequence of int
        Numbers of keys to draw.
    seed : int
        Seed of the scores of all other keys, which are spread around 0.

    Returns
    -------
    figure : Picture
        The weight of that key, and the number of keys in use, against the length.
    """
    rng = np.random.default_rng(seed)
    figure = Picture(figsize=(9.8, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2)
    lines = ((*WITHOUT, "1", lambda n: 1.0), (*WITH, r"$\log n\,/\,\log n_{train}$", lambda n: log_n_scale(n, n_train)))
    scores = 0.5 * rng.standard_normal(max(lengths))  # (n,)
    scores[0] = math.log(n_train) + 0.125  # in training as much weight as all others together
    for colour, style, name, factor in lines:
        rows = [softmax(factor(n) * scores[:n]) for n in lengths]  # (n,) each
        left.plot(lengths, [p[0] for p in rows], style, color=colour, lw=2, label=name)
        right.plot(lengths, [math.exp(attention_entropy(p)) for p in rows], style, color=colour, lw=2, label=name)
    for axes in (left, right):
        axes.axvline(n_train, color=GREY, ls=":", lw=1.5)
        axes.set_xscale("log", base=2)
        axes.set_xlabel("keys · ключи, $n$")
        axes.grid(alpha=0.3)
        axes.legend(title="factor · множитель")
    left.set_ylim(0, 1)
    right.set_yscale("log", base=2)
    left.set_title("weight of the key that stands out\nвес выделяющегося ключа", fontsize=10.5)
    right.set_title("keys in use, $e^{H}$\nключей в деле, $e^{H}$", fontsize=10.5)
    return figure
