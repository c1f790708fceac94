"""`explore()`: a panel that shows how scale, mask, gate and width move the weights of one token."""

import math
from dataclasses import dataclass
from html import escape

import numpy as np

from . import notebook, plots, texts
from .attention import attention, causal_mask, sigmoid
from .emit import html
from .live import is_live

WIDTHS = (1, 4, 16, 64, 256)
D_MODEL = 16
STEP, ROW = 26, 200  # height of a bar with its gap, and length of a bar that stands for 1


@dataclass(frozen=True)
class View:
    """What the panel shows: all weights, and how far each token's gate is open (1 without a gate).

    Attributes
    ----------
    weights : ndarray, shape (T, T)
    gate : ndarray, shape (T,)
    """

    weights: np.ndarray
    gate: np.ndarray


def weights_for(tokens, d_k: int, scale: bool = True, mask: bool = True, gate: bool = False, seed: int = 0) -> View:
    """Let made-up tokens attend to each other.

    The components of queries and keys have variance 1 or so, whatever `d_k` is; a larger `d_k` adds components to the
    same ones, so that moving the slider changes nothing else.

    Parameters
    ----------
    tokens : sequence of str, length T
    d_k : int
        Width of queries and keys, at most 256.
    scale, mask, gate : bool
        Whether scores are divided by sqrt(d_k), later tokens are hidden, and outputs pass a gate for each token.
    seed : int
        Of embeddings and projections.
    """
    rng = np.random.default_rng(seed)
    T = len(tokens)
    X = rng.standard_normal((T, D_MODEL))  # (T, d_model)
    W_gate = rng.standard_normal((D_MODEL, 1)) / 2  # (d_model, 1)
    W_q, W_k = rng.standard_normal((2, max(WIDTHS), D_MODEL)) / math.sqrt(D_MODEL)  # (d_k max, d_model) each
    Q, K = X @ W_q[:d_k].T, X @ W_k[:d_k].T  # (T, d_model) @ (d_model, d_k) -> (T, d_k)
    if not scale:
        Q = Q * math.sqrt(d_k)  # undoes the division inside `attention`
    weights = attention(Q, K, X, causal_mask(T) if mask else None)[1]  # (T, T)
    opened = sigmoid(X @ W_gate)[:, 0] if gate else np.ones(T)  # (T,)
    return View(weights, opened)


def explore(lang: str | None = None):
    """Show the panel in a notebook with ipywidgets; elsewhere return a still picture and say so.

    Parameters
    ----------
    lang : {"en", "ru"}, optional
        Language of the labels; that of your locale by default.

    Returns
    -------
    panel : ipywidgets.VBox or plots.Picture
        As the last value of a cell it shows itself.
    """
    lang = notebook.language(lang)
    try:
        import ipywidgets  # noqa: F401

        there = is_live()
    except ImportError:
        there = False
    if there:
        return panel(lang)
    print(texts.say(lang, "explore.static"))
    return still(lang)


def panel(lang: str):
    """Return the controls over a drawing that follows them."""
    import ipywidgets as widgets

    tokens = texts.say(lang, "explore.tokens").split()
    names = [(f"{i}: {name}", i) for i, name in enumerate(tokens)]
    controls = {
        "token": widgets.Dropdown(options=names, value=len(tokens) - 1, description=texts.say(lang, "explore.token")),
        "d_k": widgets.SelectionSlider(options=WIDTHS, value=16, description=texts.say(lang, "explore.width")),
        "scale": widgets.ToggleButton(value=True, description=texts.say(lang, "explore.scale")),
        "mask": widgets.ToggleButton(value=True, description=texts.say(lang, "explore.mask")),
        "gate": widgets.ToggleButton(value=False, description=texts.say(lang, "explore.gate")),
        "seed": widgets.Button(description=texts.say(lang, "explore.seed"), icon="refresh"),
    }
    picture, seed = widgets.HTML(), 0

    def draw(_=None):
        values = {name: control.value for name, control in controls.items() if name != "seed"}
        picture.value = drawing(lang, tokens, seed=seed, **values)

    def reseed(_):
        nonlocal seed
        seed += 1
        draw()

    controls["seed"].on_click(reseed)
    for name, control in controls.items():
        if name != "seed":
            control.observe(draw, names="value")
    draw()
    first = widgets.HBox([controls["token"], controls["d_k"], controls["seed"]])
    second = widgets.HBox([controls["scale"], controls["mask"], controls["gate"]])
    return widgets.VBox([first, second, picture])


def drawing(lang, tokens, token, d_k, scale, mask, gate, seed) -> str:
    """Return the weights of one token as bars beside those of all tokens, as HTML."""
    view = weights_for(tokens, d_k, scale, mask, gate, seed)
    row, opened = view.weights[token], float(view.gate[token])
    sentences = [texts.say(lang, "explore.largest", {"weight": f"{row.max():.2f}"})]
    if gate:
        sentences.append(texts.say(lang, "explore.gated", {"gate": f"{opened:.2f}"}))
    chosen = np.zeros(view.weights.shape, dtype=bool)  # (T, T)
    chosen[token] = True
    bars = _bars(texts.say(lang, "explore.row", {"token": tokens[token]}), tokens, row, opened, token if mask else None)
    everything = html.svg(view.weights, texts.say(lang, "explore.all", {"d_k": d_k}), chosen, ink=plots.ORANGE)
    told = "".join(f"<div>{html.code(sentence)}</div>" for sentence in sentences)
    return f'<div style="display:flex;flex-wrap:wrap;align-items:flex-start">{bars}{everything}</div>{told}'


def _bars(title, tokens, row, opened, last_visible):
    """Draw one bar for each key; of a gated row the part that comes through is dark. Hidden keys say so."""
    height = 24 + STEP * len(tokens)
    parts = []
    for j, (name, weight) in enumerate(zip(tokens, row, strict=True)):
        y = 24 + j * STEP
        hidden = last_visible is not None and j > last_visible
        label = "−∞" if hidden else f"{weight:.3f}"
        parts.append(
            f'<g><title>{escape(name)}: {weight:.4f}</title><text x="84" y="{y + 14}" text-anchor="end" '
            f'opacity="{0.5 if hidden else 1}">{escape(name)}</text>'
            f'<rect x="92" y="{y}" width="{ROW}" height="20" fill="rgba(128,128,128,.12)"/>'
            f'<rect x="92" y="{y}" width="{ROW * weight:.1f}" height="20" fill="{html.BLUE}" fill-opacity=".4"/>'
            f'<rect x="92" y="{y}" width="{ROW * weight * opened:.1f}" height="20" fill="{html.BLUE}"/>'
            f'<text x="{98 + ROW}" y="{y + 14}">{label}</text></g>'
        )
    width = 92 + ROW + 54
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12" '
        f'fill="currentColor" style="margin-right:1.5em;max-width:100%">'
        f'<text x="2" y="13">{escape(title)}</text>{"".join(parts)}</svg>'
    )


def still(lang: str) -> plots.Picture:
    """Return a picture of the same tokens under four settings."""
    tokens = texts.say(lang, "explore.tokens").split()
    panels = {
        texts.say(lang, "explore.with_scale", {"d_k": 64}): weights_for(tokens, 64, mask=False),
        texts.say(lang, "explore.without_scale", {"d_k": 64}): weights_for(tokens, 64, scale=False, mask=False),
        texts.say(lang, "explore.without_mask", {"d_k": 4}): weights_for(tokens, 4, mask=False),
        texts.say(lang, "explore.with_mask", {"d_k": 4}): weights_for(tokens, 4),
    }
    return plots.weights_grid({title: view.weights for title, view in panels.items()}, tokens)
