"""Pictures for lesson `multihead`: where numbers end up when heads are split, and what the KV cache costs.

Words inside the pictures are given in English and Russian; colours stay apart for colour-blind readers.
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch, Rectangle

from attnlab.multihead import attention, kv_cache_bytes, merge_heads, split_heads
from attnlab.plots import BLUE, GREY, ORANGE, Picture

TOKENS = ("carp · карп", "leaps · прыгает", "over · через", "the gate · врата")
COLOURS = ("#9BD0F0", "#F5C396", "#8ED4BC", "#E9B3D3")  # light forms of Okabe and Ito's blue, vermilion, green, purple
SHARING = (("MHA", 32, BLUE), ("GQA, 8 KV", 8, ORANGE), ("MQA", 1, GREY))


def reshape_trap():
    """Draw four tokens, two heads of width 3: what a reshape alone puts into a head, and what belongs there.

    Returns
    -------
    figure : Picture
        Colours tell the tokens apart, and the number in a cell is its column in x.
    """
    T, H, D = len(TOKENS), 2, 3
    x = np.arange(T * H * D).reshape(T, H * D)  # (T, H * D): each entry is its own place
    figure = Picture(figsize=(11, 5.4), layout="constrained")
    grid = figure.add_gridspec(2, 4, width_ratios=(2.2, 1, 1, 0.05))
    source = figure.add_subplot(grid[:, 0])
    _draw_places(source, x, H * D)
    source.set_yticks(range(T), TOKENS, fontsize=10)
    source.set_title("x  (T, d_model) = (4, 6)", fontsize=11)
    source.add_patch(Rectangle((-0.5, -0.5), D, T, fill=False, lw=3, edgecolor=BLUE, clip_on=False))
    source.add_patch(Rectangle((D - 0.5, -0.5), D, T, fill=False, lw=3, edgecolor=ORANGE, clip_on=False))
    source.set_xlabel(
        "columns 0–2 belong to head 0, columns 3–5 to head 1\nстолбцы 0–2 принадлежат голове 0, столбцы 3–5 — голове 1"
    )
    rows = (
        (x.reshape(H, T, D), "reshape alone · только reshape", ORANGE),
        (split_heads(x, H), "reshape, then swap axes · reshape, затем обмен осей", "#00795A"),
    )
    for row, (heads, title, colour) in enumerate(rows):
        for h in range(H):
            axes = figure.add_subplot(grid[row, 1 + h])
            _draw_places(axes, heads[h], H * D)
            axes.set_yticks(range(T), range(T) if h == 0 else [])
            axes.set_xlabel(f"head {h} · голова {h}")
            if h == 0:
                axes.set_ylabel("row · строка")
                axes.set_title(title, fontsize=11, fontweight="bold", color=colour, loc="left")
    return figure


def _draw_places(axes, places, d_model):
    """Draw a matrix of places in x: the colour says from which token, the number from which column."""
    rows, columns = places.shape
    for i, j in np.ndindex(rows, columns):
        token, column = divmod(int(places[i, j]), d_model)
        axes.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, facecolor=COLOURS[token], edgecolor="white", lw=1.5))
        axes.text(j, i, str(column), ha="center", va="center", fontsize=10)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5), aspect="equal", xticks=[])
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def who_reaches_whom(T=6, H=3, D=2, seed=0):
    """Measure and draw which outputs move when one token changes, under the causal mask.

    Parameters
    ----------
    T, H, D, seed : int
        Tokens, heads, their width; T * D must be a multiple of H for the wrong way to exist.

    Returns
    -------
    figure : Picture
        Left with heads split by a reshape alone, right as it should be.
    """
    figure = Picture(figsize=(10, 4.6), layout="constrained")
    panels = (
        ("reshape alone · только reshape", lambda x: x.reshape(H, T, D), lambda x: x.reshape(T, H * D)),
        ("reshape and swap · reshape и обмен осей", lambda x: split_heads(x, H), merge_heads),
    )
    for axes, (title, split, merge) in zip(figure.subplots(1, 2), panels, strict=True):
        moved = _influence(T, H * D, split, merge, seed)  # (T, T)
        axes.imshow(moved, cmap="Blues", vmin=0, vmax=1.6)
        for i, j in np.ndindex(T, T):
            if moved[i, j]:
                axes.text(j, i, "●", ha="center", va="center", color="white", fontsize=13)
            elif j <= i:
                axes.text(j, i, "✕", ha="center", va="center", color=ORANGE, fontsize=13, fontweight="bold")
        stairs = np.arange(T) + 0.5  # (T,)
        axes.step(stairs, stairs - 1, where="pre", color=GREY, ls="--", lw=1.8)
        axes.set_title(title, fontsize=11)
        axes.set(xticks=range(T), yticks=range(T))
        axes.set_xlabel("token that changes · меняется токен")
        axes.set_ylabel("output that moves · сдвигается выход")
        axes.tick_params(length=0)
    return figure


def _influence(T, d_model, split, merge, seed):
    """Return for each output (row) whether it moves when a token (column) changes."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((T, d_model))  # (T, d_model)
    W_q, W_k, W_v = rng.standard_normal((3, d_model, d_model))  # (d_model, d_model) each

    def outputs(X):
        heads, _ = attention(*(split(X @ W) for W in (W_q, W_k, W_v)), np.tri(T, dtype=bool))  # (H, T, D)
        return merge(heads)  # (T, d_model)

    before, moved = outputs(X), np.zeros((T, T), bool)  # (T, d_model), (T, T)
    for j in range(T):
        changed = X.copy()  # (T, d_model)
        changed[j] += 1
        moved[:, j] = np.abs(outputs(changed) - before).max(axis=-1) > 1e-9  # (T,)
    return moved


def sharing(n_heads=8, n_kv_heads=2):
    """Draw which query heads share which key-value head, and what the cache then takes in memory.

    Parameters
    ----------
    n_heads, n_kv_heads : int
        Query heads in all three schemes; key-value heads of the middle one.

    Returns
    -------
    figure : Picture
    """
    figure = Picture(figsize=(11, 6.6), layout="constrained")
    grid = figure.add_gridspec(2, 3, height_ratios=(1, 1.5))
    schemes = (("MHA", n_heads, BLUE), (f"GQA, {n_kv_heads} KV", n_kv_heads, ORANGE), ("MQA", 1, GREY))
    for column, (name, kv, colour) in enumerate(schemes):
        _draw_groups(figure.add_subplot(grid[0, column]), n_heads, kv, f"{name}", colour)
    _draw_caches(figure.add_subplot(grid[1, :]))
    return figure


def _draw_groups(axes, n_heads, n_kv_heads, title, colour):
    n_rep = n_heads // n_kv_heads
    for h in range(n_heads):
        kv = h // n_rep
        centre = kv * n_rep + (n_rep - 1) / 2
        axes.plot([h, centre], [1, 0.28], color=colour, lw=1.4, zorder=1)
        axes.text(
            h, 1.12, str(h), ha="center", va="center", fontsize=9,
            bbox={"boxstyle": "circle,pad=0.28", "facecolor": "#F2F2F2", "edgecolor": "black", "lw": 0.8},
        )  # fmt: skip
    for kv in range(n_kv_heads):
        centre = kv * n_rep + (n_rep - 1) / 2
        axes.add_patch(
            FancyBboxPatch((centre - 0.28, -0.08), 0.56, 0.3, boxstyle="round,pad=0.06", facecolor=colour, lw=0)
        )
        axes.text(centre, 0.07, str(kv), ha="center", va="center", color="white", fontsize=9, fontweight="bold")
    axes.set(xlim=(-0.7, n_heads - 0.3), ylim=(-0.35, 1.45))
    axes.set_title(title, fontsize=11, fontweight="bold")
    axes.set_xlabel("query heads above, KV heads below\nсверху головы запросов, снизу KV-головы", fontsize=8.5)
    axes.set(xticks=[], yticks=[])
    axes.spines[:].set_visible(False)


def _draw_caches(axes):
    """Draw the cache of a model with 32 layers and 32 query heads of width 128, for three lengths."""
    lengths = (8_192, 32_768, 131_072)
    for number, (name, kv, colour) in enumerate(SHARING):
        gib = [kv_cache_bytes(32, kv, 128, length) / 2**30 for length in lengths]
        bars = axes.bar(np.arange(3) + (number - 1) * 0.27, gib, 0.25, color=colour, label=name)
        axes.bar_label(bars, [f"{size:g}" for size in gib], padding=2, fontsize=10)
    axes.set_yscale("log", base=2)
    axes.set_ylim(0.04, 180)
    ticks = (0.125, 0.5, 2, 8, 32, 128)
    axes.set_yticks(ticks, [f"{t:g}" for t in ticks])
    axes.set_xticks(range(3), [f"{length:,}".replace(",", " ") for length in lengths])  # a space suits both languages
    axes.set_xlabel("tokens in the context · токенов в контексте")
    axes.set_ylabel("GiB · ГиБ")
    axes.set_title(
        "KV cache of one sequence: 32 layers, 32 query heads of width 128, 2 bytes to a number\n"
        "KV-кэш одной последовательности: 32 слоя, 32 головы запросов ширины 128, 2 байта на число",
        fontsize=10,
    )
    axes.legend(loc="upper left")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", alpha=0.3)
    axes.set_axisbelow(True)
