"""A Report as a compact HTML card for Jupyter, VS Code, Colab and nbgrader's feedback: no script, no style sheet."""

from html import escape

import numpy as np

from ..checking.compare import wrong_entries
from ..checking.report import CheckResult, Counterexample, PartResult
from .words import Words, headline, number, same_for_all

GREEN, RED, AMBER = "#2e8b57", "#c0392b", "#b7791f"
COLOURS = {"passed": GREEN, "todo": AMBER, "missing": AMBER}
PRE = "margin:.4em 0;padding:.4em .6em;border:1px solid rgba(128,128,128,.35);overflow-x:auto;white-space:pre"
HEAT = ("mask", "weights", "gate")  # outputs between 0 and 1, which a shade can show
MAX_SIDE = 12  # of a matrix that is drawn
WIDE, NARROW = 40, 24  # sides of a cell with and without its number
FITS = 5  # characters of the usual size in a wide cell
BLUE = "#2e86c1"  # legible under black and under white


def card(words: Words, result: PartResult) -> str:
    """Return one part's card: the outcome, the idea that went wrong, the smallest example; the rest folded."""
    colour = COLOURS.get(result.status, RED)
    head = (
        f'<b style="color:{colour}">{"✓" if result.status == "passed" else "✗"} '
        f"{escape(headline(words, result))} · {escape(words.outcome(result.status))}</b>"
    )
    wrong = [c for c in result.checks if c.outcome != "passed"]
    right = [c for c in result.checks if c.outcome == "passed"]
    body = [f'<div style="margin-top:.3em">{code(sentence)}</div>' for sentence in words.several(result)]
    for what, why, way in words.ideas(result):
        body.append(f'<div style="font-weight:bold;margin-top:.3em">{code(what)}</div>')
        body += (f"<div>{code(sentence)}</div>" for sentence in (why, way))
    consequence = words.consequence(result) if wrong and result.right_given_right_helpers is not False else ""
    if consequence:
        body.append(f"<div>{code(consequence)}</div>")
    if body:
        body.append('<div style="height:.5em"></div>')
    if wrong:
        body.append(_item(words, wrong[0], same_for_all(result)))
        example = wrong[0].counterexample
        if example is not None:
            body += _example(words, example)
    rest = [] if same_for_all(result) else [*wrong[1:], *right]
    if rest:
        items = "".join(f"<div>{_item(words, c)}</div>" for c in rest)
        total = words.say("report.checks", right=len(right), all=len(result.checks))
        body.append(f"<details><summary>{escape(total)}</summary>{items}</details>")
    return f'<div style="border-left:4px solid {colour};padding:.3em .8em;margin:.3em 0">{head}{"".join(body)}</div>'


def _example(words: Words, example: Counterexample) -> list[str]:
    """Return the smallest example: heatmaps side by side where a matrix can be drawn, the numbers folded under them."""
    lines = "\n".join(words.lines(example))
    numbers = f'<pre style="{PRE}">{escape(lines)}</pre>'
    pictures = heatmaps(words, example)
    if not pictures:
        return [numbers]
    return [pictures, f"<details><summary>{escape(words.say('explore.numbers'))}</summary>{numbers}</details>"]


def heatmaps(words: Words, example: Counterexample) -> str:
    """Return `you got` beside `expected` as inline SVG; empty where there is no small matrix of weights to draw.

    Of an output with leading axes the matrix that holds the offending entry is drawn.
    """
    fault, part = example.fault, words.report.lab.part(example.case.check.partition(".")[0])
    output = fault.output or 0
    if fault.where is None or fault.compares or example.got is None or part.outputs[output].name not in HEAT:
        return ""
    got, expected = example.got[output], np.asarray(example.expected[output])
    if not isinstance(got, np.ndarray) or got.shape != expected.shape:
        return ""
    if got.dtype.kind not in "biuf" or len(fault.where) != got.ndim:
        return ""
    wrong = wrong_entries(expected, got, example.case.tolerances[example.call][output])
    lead = fault.where[:-2]
    got, expected, wrong = (np.atleast_2d(array[lead]) for array in (got, expected, wrong))  # (T_q, T_k) each
    if got.ndim != 2 or not 0 < max(got.shape) <= MAX_SIDE or not got.size:
        return ""
    name = part.outputs[output].name + (f"[{', '.join(map(str, lead))}]" if lead else "")
    drawn = [
        svg(got, f"{words.say('report.got')}: {name}", wrong),
        svg(expected, f"{words.say('report.expected')}: {name}", wrong),
    ]
    return f'<div style="margin:.4em 0">{"".join(drawn)}</div>'


def svg(values: np.ndarray, title: str, marked: np.ndarray, ink: str = RED) -> str:
    """Return one matrix as inline SVG that needs no style sheet and reads on light and dark.

    Parameters
    ----------
    values : ndarray, shape (T_q, T_k)
        Shaded from 0 to 1; what lies outside gets the shade of the nearer end, NaN and the infinities a hatched ground.
    title : str
        Stands above the matrix.
    marked : ndarray of bool, shape (T_q, T_k)
        Entries to outline.
    ink : str
        Colour of the outlines.
    """
    rows, columns = values.shape
    side = WIDE if max(rows, columns) <= 6 else NARROW
    width, height = max(columns * side, 7 * len(title)) + 4, rows * side + 24
    at = {(i, j): (2 + j * side, 20 + i * side) for i, j in np.ndindex(rows, columns)}
    shades = "".join(_shade(values[ij], *at[ij], side, ij) for ij in at)
    outlines = "".join(_square(x, y, side, 1.5) + "/>" for ij, (x, y) in at.items() if marked[ij])
    hatches = "".join(_hatch(x, y, side) for ij, (x, y) in at.items() if not np.isfinite(values[ij]))
    texts = "".join(_text(values[ij], *at[ij], side) for ij in at)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{escape(title)}" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'style="margin-right:1.5em;max-width:100%" fill="currentColor" text-anchor="middle">'
        f'<text x="2" y="13" font-size="12" text-anchor="start">{escape(title)}</text>'
        f'<g fill="{BLUE}" fill-opacity="0" stroke="rgba(128,128,128,.5)">{shades}</g>'
        f'<g stroke="{RED}" stroke-opacity=".5" stroke-width="1.5">{hatches}</g>'
        f'<g fill="none" stroke="{ink}" stroke-width="2.5" pointer-events="none">{outlines}</g>'
        f'<g font-size="{12 if side == WIDE else 8}" pointer-events="none">{texts}</g></svg>'
    )


def _square(x, y, side, inset=0):
    size = side - 2 * inset
    return f'<path d="M{x + inset:g} {y + inset:g}h{size:g}v{size:g}h-{size:g}z"'


def _shade(value, x, y, side, index):
    shade = min(max(float(value), 0), 1) if np.isfinite(value) else 0
    opacity = f' fill-opacity="{0.85 * shade:.2g}"' if shade > 0.01 else ""
    return f"{_square(x, y, side)}{opacity}><title>{list(index)} = {escape(number(value))}</title></path>"


def _hatch(x, y, side):
    """Hatch by hand: an SVG pattern needs an id, and ids collide in a notebook."""
    half = side / 2
    lines = ((0, half, half, 0), (0, side, side, 0), (half, side, side, half))
    path = "".join(f"M{x + a:g} {y + b:g}L{x + c:g} {y + d:g}" for a, b, c, d in lines)
    return f'<path d="{path}" pointer-events="none"/>'


def _text(value, x, y, side):
    """Write the number into its cell, where it fits."""
    if side != WIDE and np.isfinite(value):
        return ""
    text = _short(value)
    small = ' font-size="9"' if side == WIDE and len(text) > FITS else ""
    return f'<text x="{x + side / 2:g}" y="{y + side / 2 + 4:g}"{small}>{escape(text)}</text>'


def _short(value) -> str:
    """Return a number in few enough characters for a cell; its title has it in full."""
    if value.dtype == bool:
        return "✓" if value else "–"
    text = number(value)
    if len(text) <= FITS or not np.isfinite(value):
        return text
    if 0.001 <= abs(value) < 1:
        return f"{value:.3f}"
    return f"{value:.1g}".replace("e-0", "e-") if abs(value) < 1 else f"{value:.3g}"


def _item(words: Words, check: CheckResult, bare: bool = False) -> str:
    colour = COLOURS.get(check.outcome, RED)
    sign = "✓" if check.outcome == "passed" else "✗"
    message = words.message(check)
    title = "" if bare else f'<span style="color:{colour}">{sign}</span> {escape(words.title(check))}'
    told = f'<div style="margin-left:1.2em">{code(message)}</div>' if message else ""
    return f"<div>{title}{told}</div>"


def code(message: str) -> str:
    """Return an escaped sentence with its `names` set as code."""
    pieces = escape(message).split("`")
    if len(pieces) % 2 == 0:
        return "`".join(pieces)
    return "".join(f"<code>{p}</code>" if i % 2 else p for i, p in enumerate(pieces))
