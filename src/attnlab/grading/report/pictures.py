"""The report's pictures as inline SVG: no script, colours from the page's style sheet, a description for each."""

from collections.abc import Sequence
from html import escape

from .statistics import BINS

LEFT, TOP, HEIGHT, STEP = 30, 18, 120, 37  # of the histogram, in its own units


def histogram(bins: Sequence[int], label: str) -> str:
    """Return the distribution of marks: one column for each tenth of the points, its height the number of students."""
    most, width = max(bins) or 1, LEFT + BINS * STEP + 20
    bottom = TOP + HEIGHT
    pieces = []
    for tick in _ticks(most):
        y = bottom - HEIGHT * tick / most
        pieces.append(f'<path class="grid" d="M{LEFT} {y:.1f}h{BINS * STEP}"/>')
        pieces.append(f'<text class="soft" x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{tick}</text>')
    for number, count in enumerate(bins):
        x, high = LEFT + number * STEP, HEIGHT * count / most
        if count:
            y = bottom - high
            pieces.append(f'<rect class="bar" x="{x + 2}" y="{y:.1f}" width="{STEP - 4}" height="{high:.1f}"/>')
            pieces.append(f'<text x="{x + STEP / 2:g}" y="{y - 4:.1f}" text-anchor="middle">{count}</text>')
    for number in range(0, BINS + 1, 2):
        x, percent = LEFT + number * STEP, 100 * number // BINS
        pieces.append(f'<text class="soft" x="{x}" y="{bottom + 16}" text-anchor="middle">{percent} %</text>')
    pieces.append(f'<path class="axis" d="M{LEFT} {bottom}h{BINS * STEP}"/>')
    told = "; ".join(f"{100 * n // BINS}–{100 * (n + 1) // BINS} %: {count}" for n, count in enumerate(bins))
    told = f'role="img" aria-label="{escape(f"{label}: {told}")}"'
    return f'<svg class="histogram" viewBox="0 0 {width} {bottom + 22}" {told}>{"".join(pieces)}</svg>'


def _ticks(most):
    """Return a few round numbers up to `most`, 0 left out."""
    step = next(s * 10**e for e in range(9) for s in (1, 2, 5) if most / (s * 10**e) <= 4)
    return range(step, most + 1, step)


def stack(counts: Sequence[tuple[str, str, int]]) -> str:
    """Return one bar made of ``(class, label, count)`` pieces."""
    total = sum(count for _, _, count in counts) or 1
    pieces, x = [], 0.0
    for kind, _, count in counts:
        width = 100 * count / total
        if count:
            pieces.append(f'<rect class="{kind}" x="{x:.2f}" width="{width:.2f}" height="10"/>')
        x += width
    told = ", ".join(f"{label}: {count}" for _, label, count in counts)
    return _bar("".join(pieces), told)


def share(value: float, label: str = "") -> str:
    """Return a bar that is filled up to a share; without a label it is decoration beside a number."""
    track = '<rect class="track" width="100" height="10"/>'
    return _bar(f'{track}<rect class="bar" width="{100 * value:.1f}" height="10"/>', label)


def _bar(pieces, label):
    told = f'role="img" aria-label="{escape(label)}"' if label else 'aria-hidden="true"'
    return f'<svg class="strip" viewBox="0 0 100 10" preserveAspectRatio="none" {told}>{pieces}</svg>'
