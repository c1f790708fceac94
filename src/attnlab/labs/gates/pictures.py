"""Pictures of lab `gates`: the five places, what the width of W_gate means, and what training does with a gate.

As in `attnlab.plots`, every function returns a `Picture`, with words in English and Russian.
"""

import numpy as np
from matplotlib.patches import FancyBboxPatch

from attnlab.plots import BLUE, GREY, ORANGE, Picture

PLAIN, GATED = {"color": ORANGE, "ls": "-"}, {"color": BLUE, "ls": "--"}
NO_GATE, WITH_GATE = "no gate · без вентиля", "G1"


def places():
    """Draw multi-head attention with the five places at which a gate can stand.

    Returns
    -------
    figure : Picture
        Above each place its name and what passes through it; below, the token on which the gate depends.
    """
    figure = Picture(figsize=(11, 4.3))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 110), ylim=(0, 43))
    axes.set_axis_off()

    def box(x, y, name, shape, colour="#F2F2F2", width=10):
        axes.add_patch(FancyBboxPatch((x - width / 2, y - 3), width, 6, boxstyle="round,pad=0.3", facecolor=colour))
        axes.text(x, y + 0.9, name, ha="center", va="center", fontsize=12)
        axes.text(x, y - 1.8, shape, ha="center", va="center", fontsize=8)

    def arrow(start, end):
        axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": "black", "lw": 1.2})

    def gate(x, y, name, best=False):
        axes.text(
            x, y, name, ha="center", va="center", fontsize=11, fontweight="bold", color="white", zorder=3,
            bbox={"boxstyle": "circle,pad=0.25", "facecolor": ORANGE if best else BLUE, "edgecolor": "none"},
        )  # fmt: skip

    box(6, 20, "$X$", r"$(T,\ d_{model})$", width=9)
    for y, name, number, english, russian in (
        (33, "Q", 4, "queries", "запросы"),
        (20, "K", 3, "keys", "ключи"),
        (7, "V", 2, "values", "значения"),
    ):
        box(21, y, f"${name}$", r"$(H,\ T,\ D)$")
        arrow((11, 20 + (y - 20) / 5), (15.5, y))
        arrow((26.5, y), (45.5, 26.5 if name != "V" else 7))
        gate(32.5, y if name == "V" else y + (26.5 - y) * 0.32, f"G{number}")
        axes.text(21, y + 5.6, f"{english} · {russian}", ha="center", va="center", fontsize=9)
    box(52, 26.5, "weights", r"$(H,\ T,\ T)$", "#D6E8F5", width=12)
    axes.text(52, 33.5, "who looks where\nкто куда смотрит", ha="center", va="center", fontsize=9)
    box(52, 7, "average", r"$(H,\ T,\ D)$", "#FBE3D2", width=12)
    axes.text(52, 1.5, "what each head found · что нашла каждая голова", ha="center", va="center", fontsize=9)
    arrow((52, 22.8), (52, 11))
    arrow((58.8, 7), (76.5, 7))
    gate(67, 7, "G1", best=True)
    axes.text(67, 12.6, "best in the paper\nлучший в статье", ha="center", va="center", fontsize=9, color=ORANGE)
    box(81, 7, "$W_o$", "heads mix · головы смешаны", width=8)
    axes.texts[-1].set(y=1.5, fontsize=9, va="center")
    arrow((86, 7), (97.5, 7))
    gate(91.5, 7, "G5")
    box(103, 7, "out", r"$(T,\ d_{model})$", width=10)
    depends = (
        "$\\mathrm{gate} = \\sigma(X\\, W_{gate})$",
        "G1, G4, G5: from the token that asks",
        "от токена, который спрашивает",
        "G2, G3: from the token that is found",
        "от токена, который нашли",
    )
    axes.text(87, 31, "\n".join(depends), fontsize=9.5, ha="center", va="center", linespacing=1.5)
    return figure


def gate_shapes(gates):
    """Draw how gates of different widths open the same heads.

    Parameters
    ----------
    gates : dict of str to array_like, broadcastable to (H, T, D) and of equal H, T, D once stretched
        Gate values from 0 to 1 by the title of their row.

    Returns
    -------
    figure : Picture
        A row for each gate, a panel for each head: tokens down, channels across.
    """
    stretched = np.broadcast_arrays(*(np.asarray(g, dtype=float) for g in gates.values()))  # (H, T, D) each
    H, T, D = stretched[0].shape
    figure = Picture(figsize=(3.0 + 1.9 * H, 0.9 + 1.35 * len(gates)), layout="constrained")
    grid = figure.subplots(len(gates), H, squeeze=False)
    for row, (title, gate) in enumerate(zip(gates, stretched, strict=True)):
        for h, axes in enumerate(grid[row]):
            image = axes.imshow(gate[h], cmap="Blues", vmin=0, vmax=1, aspect="auto")  # (T, D)
            axes.set_xticks(np.arange(D + 1) - 0.5, [])
            axes.set_yticks(np.arange(T + 1) - 0.5, [])
            axes.grid(color="white", lw=1.2)
            axes.tick_params(length=0)
            if row == 0:
                axes.set_title(f"head {h} · голова {h}", fontsize=9.5)
            if row == len(gates) - 1:
                axes.set_xlabel("channels · каналы", fontsize=8.5)
        grid[row][0].set_ylabel("tokens\nтокены", fontsize=8.5)
        grid[row][0].annotate(
            title, (-0.42, 0.5), xycoords="axes fraction", ha="right", va="center", fontsize=10, annotation_clip=False
        )
    figure.colorbar(image, ax=grid, shrink=0.7, label="gate · вентиль")
    return figure


def training(runs):
    """Draw what was measured while models were trained without and with a gate.

    Parameters
    ----------
    runs : sequence of Run
        From `attnlab.labs.gates.experiment.run`.

    Returns
    -------
    figure : Picture
        Sink share, largest activation and loss against the step, one line for each run.
    """
    figure = Picture(figsize=(11.5, 4.0), layout="constrained")
    panels = figure.subplots(1, 3)
    titles = (
        ("sink", "sink share\nдоля стока"),
        ("activation", "largest activation\nнаибольшая активация"),
        ("copy_loss", "loss behind triggers, nats\nпотери после триггеров, наты"),
    )
    for axes, (name, title) in zip(panels, titles, strict=True):
        for run in runs:
            first = run.seed == runs[0].seed
            axes.plot(
                run.steps, getattr(run, name), lw=2.2, alpha=1.0 if first else 0.55,
                label=(WITH_GATE if run.gated else NO_GATE) if first else None, **(GATED if run.gated else PLAIN),
            )  # fmt: skip
        axes.set_title(title, fontsize=10.5)
        axes.set_xlabel("step · шаг")
        axes.grid(alpha=0.3)
        if name != "copy_loss":
            axes.set_ylim(bottom=0)
    T = runs[0].weights.shape[-1]
    even = float(
        np.mean(1 / np.arange(2, T + 1))
    )  # the first key's share if queries 1 to T - 1 looked everywhere alike
    panels[0].axhline(even, color=GREY, ls=":", lw=1.8, label="shared evenly · поровну")
    panels[0].set_ylim(0, 1)
    panels[2].set_yscale("log")
    panels[0].legend(loc="upper left")
    return figure


def where_heads_look(runs, n_triggers=3):
    """Draw the attention of one sequence in both models of the first seed, and how far the gates are open.

    Parameters
    ----------
    runs : sequence of Run
        From `attnlab.labs.gates.experiment.run`; those of the first seed are shown.
    n_triggers : int
        Tokens 1 to `n_triggers` are triggers; their rows are marked.

    Returns
    -------
    figure : Picture
        A matrix for each head, without a gate above and with it below; beside the latter a bar for each token's gate.
    """
    pair = [next(r for r in runs if r.seed == runs[0].seed and r.gated == gated) for gated in (False, True)]
    H, T, _ = pair[0].weights.shape
    figure = Picture(figsize=(1.5 + 4.6 * H, 7.6), layout="constrained")
    grid = figure.subplots(2, 2 * H, width_ratios=[4, 1] * H, squeeze=False)
    for row, run in enumerate(pair):
        triggers = [t for t in range(T) if 1 <= run.tokens[t] <= n_triggers]
        for h in range(H):
            axes, bars = grid[row][2 * h], grid[row][2 * h + 1]
            axes.imshow(run.weights[h], cmap="Blues", vmin=0, vmax=1, aspect="auto")  # (T, T)
            share = run.weights[h, 1:, 0].mean()
            name = WITH_GATE if run.gated else NO_GATE
            axes.set_title(f"{name}, head · голова {h}\nsink share · доля стока {share:.2f}", fontsize=9.5)
            axes.set_yticks(triggers, ["trigger · триггер"] * len(triggers), fontsize=8, color=ORANGE)
            axes.set_xticks([0], ["0"])
            axes.set_xlabel("keys · ключи", fontsize=9)
            if run.gate is None:
                bars.set_axis_off()
                continue
            colours = [ORANGE if t in triggers else BLUE for t in range(T)]
            bars.barh(range(T), run.gate[h], color=colours)  # (T,)
            bars.set(ylim=(T - 0.5, -0.5), xlim=(0, 1), yticks=[])
            bars.set_title("gate\nвентиль", fontsize=9.5)
    return figure
