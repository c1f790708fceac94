"""Pictures for the lessons and reports: matrices, the road through attention, and why the scores are scaled.

Every function returns a `Picture`: a matplotlib Figure that pyplot knows nothing about. A notebook therefore shows it
exactly once, as the value of its cell, whatever backend is active, and there is nothing to close.
Words inside the pictures are given in English and Russian; colours stay apart for colour-blind readers.
"""

import io
import math
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch, Rectangle

from attnlab.attention import attention, causal_mask, softmax

BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#8C8C8C"  # Okabe and Ito's blue and vermilion, told apart by everyone
BACKGROUND = {"facecolor": "white", "edgecolor": "none", "alpha": 0.7, "pad": 1.5}  # keeps text legible on hatching
KEYS, QUERIES = "keys · ключи", "queries · запросы"


class Picture(Figure):
    """A figure that any notebook shows as one PNG image, without pyplot."""

    def _repr_png_(self):
        buffer = io.BytesIO()
        self.savefig(buffer, format="png", dpi=100)
        return buffer.getvalue()


def weights_heatmap(weights, tokens, title=None):
    """Draw one weight matrix: row i says where token i takes its values from.

    Parameters
    ----------
    weights : array_like of float, shape (T_q, T_k)
        Attention weights of one sequence (and one head).
    tokens : sequence of str, length T_k
        Names of the keys; they name the queries too when T_q = T_k.
    title : str, optional
        Shown above the matrix.

    Returns
    -------
    figure : Picture
        Each cell carries its weight. In a square matrix the future (keys after the query) lies beyond a dashed line,
        and its cells are hatched.

    Raises
    ------
    ValueError
        If `weights` is not a matrix, or `tokens` does not name each key.
    """
    weights = _matrix(weights, tokens)  # (T_q, T_k)
    T_q, T_k = weights.shape
    figure = Picture(figsize=(1.9 + 0.95 * T_k, 1.3 + 0.75 * T_q), layout="constrained")
    axes = figure.subplots()
    image = _draw_weights(axes, weights)
    _name_axes(axes, tokens if T_q == T_k else range(T_q), tokens)
    if title is not None:
        axes.set_title(title)
    figure.colorbar(image, ax=axes, shrink=0.9, label="weight · вес")
    return figure


def mask_picture(mask, tokens=None):
    """Draw one boolean mask: a tick where the query may look, minus infinity where it may not.

    Parameters
    ----------
    mask : array_like of bool, shape (T_q, T_k)
        True = may look.
    tokens : sequence of str, length T_k, optional
        Names of the keys (and of the queries when T_q = T_k); positions are numbered when it is missing.

    Returns
    -------
    figure : Picture

    Raises
    ------
    ValueError
        If `mask` is not a matrix, or `tokens` does not name each key.
    """
    mask = _matrix(mask, tokens).astype(bool)  # (T_q, T_k)
    T_q, T_k = mask.shape
    figure = Picture(figsize=(1.6 + 0.62 * T_k, 1.2 + 0.5 * T_q), layout="constrained")
    axes = figure.subplots()
    axes.imshow(np.where(mask, 0.75, 0.0), cmap="Blues", vmin=0, vmax=1, aspect="auto")  # (T_q, T_k)
    for i, j in np.ndindex(T_q, T_k):
        if mask[i, j]:
            axes.text(j, i, "✓", ha="center", va="center", color="white")
        else:
            _hatch(axes, i, j)
            axes.text(j, i, "−∞", ha="center", va="center", bbox=BACKGROUND)
    names = range(T_k) if tokens is None else tokens
    _name_axes(axes, names if T_q == T_k else range(T_q), names)
    return figure


def weights_grid(panels, tokens):
    """Draw several weight matrices of the same tokens, two in a row.

    Parameters
    ----------
    panels : dict of str to array_like of float, shape (T, T)
        Attention weights by the title of their panel.
    tokens : sequence of str, length T
        Names of the tokens.

    Returns
    -------
    figure : Picture

    Raises
    ------
    ValueError
        If a panel is not a matrix, or `tokens` does not name each key.
    """
    matrices = {title: _matrix(weights, tokens) for title, weights in panels.items()}  # (T, T) each
    rows = math.ceil(len(matrices) / 2)
    figure = Picture(figsize=(2.4 + 1.5 * len(tokens), (0.9 + 0.5 * len(tokens)) * rows), layout="constrained")
    grid = figure.subplots(rows, 2, squeeze=False).flat
    for axes, (title, weights) in zip(grid, matrices.items(), strict=False):
        _draw_weights(axes, weights)
        axes.set_xticks(range(len(tokens)), tokens, fontsize=8)
        axes.set_yticks(range(len(tokens)), tokens, fontsize=8)
        axes.tick_params(length=0)
        axes.set_title(title, fontsize=10)
    for axes in list(grid):
        axes.set_axis_off()
    return figure


def mask_mistakes(Q, K, tokens):
    """Draw the causal weights of one sequence beside what five common slips make of them.

    Parameters
    ----------
    Q, K : array_like of float, shape (T, d_k)
        Queries and keys of one sequence, T >= 2.
    tokens : sequence of str, length T
        Names of the tokens.

    Returns
    -------
    figure : Picture
        Six matrices; the sum of each row stands to its right.
    """
    figure = Picture(figsize=(11.4, 6.6), layout="constrained")
    panels = figure.subplots(2, 3).flat
    for axes, (title, weights) in zip(panels, _mistaken_weights(Q, K).items(), strict=True):
        _draw_weights(axes, weights)
        for i, total in enumerate(weights.sum(axis=-1)):  # (T,)
            right = math.isclose(total, 1)
            axes.text(
                len(weights) - 0.42, i, f"Σ = {total:.2f}", va="center", color="black" if right else ORANGE,
                fontweight="normal" if right else "bold",
            )  # fmt: skip
        axes.set_xticks(range(len(tokens)), tokens, fontsize=8)
        axes.set_yticks(range(len(tokens)), tokens, fontsize=8)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlim(-0.5, len(weights) + 0.35)
        axes.set_title(title, fontsize=10)
    return figure


def pipeline():
    """Draw the six steps of causal self-attention with the shape of every array on the way.

    Returns
    -------
    figure : Picture
    """
    figure = Picture(figsize=(11, 3.9))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 110), ylim=(0, 39))
    axes.set_axis_off()

    def box(x, y, name, shape, colour):
        axes.add_patch(FancyBboxPatch((x - 5, y - 3), 10, 6, boxstyle="round,pad=0.3", facecolor=colour))
        axes.text(x, y + 0.9, name, ha="center", va="center", fontsize=13)
        axes.text(x, y - 1.9, shape, ha="center", va="center", fontsize=9)

    def arrow(start, end):
        axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 1.2})

    def step(x, number, english, russian):
        axes.text(
            x, 36.5, str(number), ha="center", va="center", color="white", fontweight="bold",
            bbox={"boxstyle": "circle,pad=0.25", "facecolor": BLUE, "edgecolor": BLUE},
        )  # fmt: skip
        axes.text(x, 34, f"{english}\n{russian}", ha="center", va="top", fontsize=9.5, linespacing=1.35)

    token, table, weight = "#F2F2F2", "#D6E8F5", "#FBE3D2"
    box(7, 16, "$X$", r"$(T,\ d_{model})$", token)
    for y, name, width in ((26, "Q", "d_k"), (16, "K", "d_k"), (6, "V", "d_v")):
        box(24, y, f"${name}$", rf"$(T,\ {width})$", token)
        arrow((12.5, 16 + (y - 16) / 6), (18.5, y))
    grid = (
        (41, r"$QK^{\top}$", table, 2, "scores", "оценки"),
        (57, r"$\div\sqrt{d_k}$", table, 3, "scale", "масштаб"),
        (71, r"$-\infty$", table, 4, "mask", "маска"),
        (85, "weights", weight, 5, "softmax", "веса"),
    )
    step(24, 1, "project", "проекции")
    for x, name, colour, *words in grid:
        box(x, 21, name, r"$(T,\ T)$", colour)
        step(x, *words)
    box(102, 13.5, "out", r"$(T,\ d_v)$", token)
    step(102, 6, "average", "среднее")
    for start, end in (
        ((29.5, 26), (35.5, 22.5)), ((29.5, 16), (35.5, 19.5)), ((46.5, 21), (51.5, 21)), ((62.5, 21), (65.5, 21)),
        ((76.5, 21), (79.5, 21)), ((90.5, 21), (97, 15.5)), ((29.5, 6), (97, 11.5)),
    ):  # fmt: skip
        arrow(start, end)
    return figure


@dataclass(frozen=True)
class ScalingRow:
    """What one width d_k does to a softmax over 16 random keys; each pair is (without, with) the scale 1/√d_k."""

    d_k: int
    std: float  # standard deviation of q·k
    max_weight: tuple[float, float]  # mean over the queries of the largest weight
    jacobian: tuple[float, float]  # mean Frobenius norm of the softmax Jacobian


def scaling_table(widths=(4, 16, 64, 128, 512), n_queries=2000, n_keys=16, seed=0):
    """Measure how peaked attention is, and how much gradient passes, with and without the scale.

    Queries and keys have independent standard normal components; each query has keys of its own.

    Parameters
    ----------
    widths : sequence of int
        The values of d_k, in the order in which the random numbers are drawn.
    n_queries, n_keys, seed : int
        Size and seed of the experiment.

    Returns
    -------
    rows : list of ScalingRow
        One for each width.

    Notes
    -----
    The claim measured is footnote 4 of Vaswani et al., "Attention Is All You Need", 2017, section 3.2.1.
    """
    rng = np.random.default_rng(seed)
    rows = []
    for d_k in widths:
        q = rng.standard_normal((n_queries, d_k))  # (n, d_k)
        k = rng.standard_normal((n_queries, n_keys, d_k))  # (n, m, d_k)
        scores = (k @ q[:, :, None])[..., 0]  # (n, m, d_k) @ (n, d_k, 1) -> (n, m)
        both = [softmax(scores), softmax(scores / math.sqrt(d_k))]  # (n, m) each
        rows.append(
            ScalingRow(
                d_k,
                float(scores.std()),
                tuple(float(p.max(axis=-1).mean()) for p in both),
                tuple(float(_jacobian_norm(p).mean()) for p in both),
            )
        )
    return rows


def scaling_experiment():
    """Draw `scaling_table`: the largest weight and the gradient through softmax against d_k.

    Returns
    -------
    figure : Picture
        Two panels, each with one line without and one with the scale.
    """
    rows = scaling_table()
    widths = [row.d_k for row in rows]
    figure = Picture(figsize=(10, 3.9), layout="constrained")
    left, right = figure.subplots(1, 2)
    panels = (
        (left, "max_weight", "largest of 16 weights · наибольший из 16 весов"),
        (right, "jacobian", "gradient through softmax · градиент через softmax"),
    )
    lines = ((0, "o-", ORANGE, r"$q \cdot k$"), (1, "s--", BLUE, r"$q \cdot k\,/\,\sqrt{d_k}$"))
    for axes, name, title in panels:
        for which, style, colour, label in lines:
            axes.plot(widths, [getattr(row, name)[which] for row in rows], style, color=colour, label=label, lw=2)
        axes.set_xscale("log", base=2)
        axes.set_xticks(widths, [str(width) for width in widths])
        axes.minorticks_off()
        axes.set_xlabel("$d_k$")
        axes.set_title(title, fontsize=10.5)
        axes.set_ylim(bottom=0)
        axes.grid(alpha=0.3)
        axes.legend()
    left.set_ylim(0, 1)
    right.set_ylabel(r"$\|\,\partial p\,/\,\partial s\,\|_F$")
    return figure


def _jacobian_norm(p):
    """Frobenius norm of ``diag(p) - p p^T`` for each row, multiplied out so that no n x n array is needed."""
    squares = (p**2).sum(axis=-1)  # (..., n) -> (...)
    return np.sqrt(np.maximum(squares - 2 * (p**3).sum(axis=-1) + squares**2, 0))  # (...)


def _mistaken_weights(Q, K):
    """Weights under the causal mask, then under five slips, by the title of their panel."""
    Q, K = np.asarray(Q, dtype=float), np.asarray(K, dtype=float)  # (T, d_k), (T, d_k)
    mask = causal_mask(len(Q))  # (T, T)
    unmasked = attention(Q, K, K)[1]  # (T, T)
    with np.errstate(invalid="ignore"):  # two of the slips leave a row with nothing to look at
        return {
            "right · верно": attention(Q, K, K, mask)[1],
            "0 instead of −∞ · 0 вместо −∞": softmax((Q @ K.T / math.sqrt(Q.shape[-1])) * mask),
            "mask after softmax · маска после softmax": unmasked * mask,
            "True and False swapped · True и False местами": attention(Q, K, K, ~mask)[1],
            "diagonal +1 · диагональ +1": attention(Q, K, K, np.tri(*mask.shape, k=1, dtype=bool))[1],
            "diagonal −1 · диагональ −1": attention(Q, K, K, np.tri(*mask.shape, k=-1, dtype=bool))[1],
        }


def _matrix(values, tokens):
    values = np.asarray(values)
    if values.ndim != 2:
        raise ValueError(f"a picture shows one matrix (T_q, T_k), got shape {values.shape}: pick one, weights[0] say")
    if tokens is not None and len(tokens) != values.shape[1]:
        raise ValueError(f"{len(tokens)} token names for {values.shape[1]} keys")
    return values


def _draw_weights(axes, weights):
    T_q, T_k = weights.shape
    image = axes.imshow(weights, cmap="Blues", vmin=0, vmax=1, aspect="auto")  # (T_q, T_k)
    for i, j in np.ndindex(T_q, T_k):
        value = weights[i, j]
        if (T_q == T_k and j > i) or np.isnan(value):
            _hatch(axes, i, j, alpha=1.0 if not value > 0 else 0.35)
        dark = value > 0.55
        colour, background = ("white", None) if dark else ("black", BACKGROUND)
        axes.text(j, i, f"{value:.2f}", ha="center", va="center", color=colour, bbox=background)
    if T_q == T_k:
        stairs = np.arange(T_q) + 0.5  # (T,)
        axes.step(stairs, stairs - 1, where="pre", color=ORANGE, ls="--", lw=1.8)
    return image


def _hatch(axes, i, j, alpha=1.0):
    axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fill=False, hatch="///", edgecolor=GREY, lw=0, alpha=alpha))


def _name_axes(axes, rows, columns):
    axes.set_xticks(range(len(columns)), columns)
    axes.set_yticks(range(len(rows)), rows)
    axes.set_xlabel(KEYS)
    axes.set_ylabel(QUERIES)
    axes.tick_params(length=0)
