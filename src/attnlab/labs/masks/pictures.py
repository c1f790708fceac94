"""Pictures of lab `masks`: masks side by side, what an empty row does two layers later, and who asks whom.

Every function returns a `attnlab.plots.Picture`. Words inside are given in English and Russian.
"""

import math

import numpy as np
from matplotlib.patches import Rectangle

from attnlab.attention import softmax
from attnlab.masks import safe_softmax
from attnlab.plots import BACKGROUND, BLUE, GREY, KEYS, ORANGE, QUERIES, Picture

PALE = "#EFEFEF"


def side_by_side(masks):
    """Draw boolean masks of one sequence next to each other.

    Parameters
    ----------
    masks : dict of str to array_like of bool, shape (T, T) or (1, T)
        Masks by the title of their panel, all of the same T. True = may look.

    Returns
    -------
    figure : Picture
        Visible cells are filled, hidden ones pale, and the diagonal is dotted. A row in which nothing is visible is
        framed and marked with an empty set.

    Raises
    ------
    ValueError
        If a mask is not one matrix.
    """
    squares = {title: _square(mask) for title, mask in masks.items()}  # (T, T) each
    T = max(len(mask) for mask in squares.values())
    figure = Picture(figsize=(0.6 + (0.4 + 0.3 * T) * len(squares), 1.5 + 0.28 * T), layout="constrained")
    panels = figure.subplots(1, len(squares), squeeze=False)[0]
    for axes, (title, mask) in zip(panels, squares.items(), strict=True):
        _draw_mask(axes, mask)
        axes.set_title(title, fontsize=9.5, linespacing=1.4)
        axes.set_xlabel(KEYS, fontsize=9)
    panels[0].set_ylabel(QUERIES, fontsize=9)
    return figure


def empty_rows(mask, seed=3):
    """Draw two layers of attention under one mask, with an ordinary softmax and with one that knows empty rows.

    Parameters
    ----------
    mask : array_like of bool, shape (T, T)
        True = may look. Some rows should see nothing.
    seed : int
        Seed of the made-up tokens, three numbers to each.

    Returns
    -------
    figure : Picture
        Two rows (ordinary softmax, safe softmax) of three matrices: the weights and the output of the first layer, and
        the output of the second. Cells that are NaN are hatched.
    """
    mask = _square(mask)  # (T, T)
    X = np.random.default_rng(seed).normal(size=(len(mask), 3)).round(1)  # (T, d)
    figure = Picture(figsize=(11.4, 6.6), layout="constrained")
    grid = figure.subplots(2, 3, width_ratios=(len(mask), 3, 3))
    titles = ("layer 1: weights\nслой 1: веса", "layer 1: output\nслой 1: выход", "layer 2: output\nслой 2: выход")
    names = ("ordinary softmax\nобычный softmax", "safe_softmax")
    for panels, name, turn in zip(grid, names, (softmax, safe_softmax), strict=True):
        with np.errstate(invalid="ignore"):  # that -inf minus -inf is NaN is the very point
            first, weights = _layer(X, mask, turn)  # (T, d), (T, T)
            second, _ = _layer(first, mask, turn)  # (T, d)
        for axes, values in zip(panels, (weights, first, second), strict=True):
            _draw_numbers(axes, values)
            _mark_empty(axes, mask, values.shape[1])
            axes.set_yticks(range(len(mask)))
        panels[0].set_xticks(range(len(mask)))
        panels[0].set_ylabel(f"{name}\n\n{QUERIES}", fontsize=10)
    for axes, title in zip(grid[0], titles, strict=True):
        axes.set_title(title, fontsize=10)
    grid[1][0].set_xlabel(KEYS, fontsize=10)
    for axes in grid[1][1:]:
        axes.set_xlabel("channels · каналы", fontsize=10)
    return figure


def who_asks_whom(weights, asking, asked):
    """Draw the weights of one cross-attention: rows are the tokens that ask, columns those that are asked.

    Parameters
    ----------
    weights : array_like of float, shape (T_q, T_k)
        Attention weights.
    asking : sequence of str, length T_q
        Names of the queries.
    asked : sequence of str, length T_k
        Names of the keys.

    Returns
    -------
    figure : Picture
    """
    weights = np.asarray(weights)  # (T_q, T_k)
    T_q, T_k = weights.shape
    figure = Picture(figsize=(2.2 + 0.85 * T_k, 1.2 + 0.55 * T_q), layout="constrained")
    axes = figure.subplots()
    _draw_numbers(axes, weights)
    axes.set_xticks(range(T_k), asked)
    axes.set_yticks(range(T_q), asking)
    axes.set_xlabel(KEYS)
    axes.set_ylabel(QUERIES)
    return figure


def _square(mask):
    mask = np.asarray(mask, dtype=bool)
    if mask.ndim != 2:
        raise ValueError(f"a picture shows one mask (T, T) or (1, T), got shape {mask.shape}: pick one, mask[0] say")
    T = mask.shape[1]
    return np.broadcast_to(mask, (T, T))  # (1 or T, T) -> (T, T)


def _layer(X, mask, turn_into_weights):
    """One attention without projections: tokens are their own queries, keys and values."""
    scores = np.where(mask, X @ X.T / math.sqrt(X.shape[1]), -np.inf)  # (T, T)
    weights = turn_into_weights(scores)  # (T, T)
    return weights @ X, weights  # (T, d), (T, T)


def _draw_mask(axes, mask):
    T = len(mask)
    for i, j in np.ndindex(T, T):
        colour = BLUE if mask[i, j] else PALE
        axes.add_patch(Rectangle((j - 0.46, i - 0.46), 0.92, 0.92, facecolor=colour, edgecolor="none"))
        if i == j:
            axes.plot(j, i, "o", ms=3, color="white" if mask[i, j] else GREY)
    axes.set(xlim=(-0.6, T + 0.6), ylim=(T - 0.4, -0.6), aspect="equal", xticks=range(T), yticks=range(T))
    axes.tick_params(length=0, labelsize=8)
    axes.spines[:].set_visible(False)
    _mark_empty(axes, mask, T)
    for i in np.flatnonzero(~mask.any(axis=-1)):
        axes.text(T - 0.1, i, r"$\varnothing$", ha="center", va="center", color=ORANGE, fontsize=12)


def _mark_empty(axes, mask, width):
    for i in np.flatnonzero(~mask.any(axis=-1)):
        axes.add_patch(
            Rectangle((-0.5, i - 0.47), width, 0.94, fill=False, edgecolor=ORANGE, lw=2, clip_on=False, zorder=3)
        )


def _draw_numbers(axes, values):
    axes.imshow(np.abs(values), cmap="Blues", vmin=0, vmax=2 if (np.abs(values) > 1).any() else 1, aspect="auto")
    for i, j in np.ndindex(*values.shape):
        value = values[i, j]
        if np.isnan(value):
            axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor="#FBE3D2", hatch="///", edgecolor=GREY, lw=0))
        text, box = ("NaN", BACKGROUND) if np.isnan(value) else (f"{value:.2f}", None)
        dark = not np.isnan(value) and abs(value) > 0.6 * axes.images[0].get_clim()[1]
        axes.text(j, i, text, ha="center", va="center", fontsize=9, color="white" if dark else "black", bbox=box)
    axes.tick_params(length=0)
    axes.set_xticks(range(values.shape[1]))
