"""Bar charts one below another in one SVG file, drawn without any library; the picture of a simulation."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from nousu.tournament.form_fields import LETTERS
from nousu.tournament.simulation import Summary

WIDTH, HEIGHT, GAP = 720, 240, 56
_INK, _BAR, _LINE = "#1d3140", "#2f8f83", "#9fb1bd"


class Bar(NamedTuple):
    """One bar: its label, its height, and half the width of its interval (0 = none)."""

    label: str
    value: float
    half: float = 0.0


def svg(title: str, summary: Summary) -> str:
    """The picture as the text of an SVG file."""
    runs = max(1, summary.runs)
    ranks = [
        Bar(str(rank), 100 * summary.ranks.get(rank, 0) / runs)
        for rank in range(1, max([summary.entrants, *summary.ranks]) + 1)
    ]
    seats = [
        Bar(f"{size}: {LETTERS[seat - 1]}", figure.mean, figure.half)
        for (size, seat), figure in summary.seats.items()
    ]
    length = [
        Bar("hands a game", summary.hands.mean, summary.hands.half),
        Bar("hands in a row, an event", summary.longest.mean, summary.longest.half),
    ]
    charts = [
        ("Final rank of the strongest, % of events", ranks),
        ("Points a game by table size and seat", seats),
        ("Length in hands", length),
    ]
    return bar_charts(title, charts)


def bar_charts(title: str, charts: Sequence[tuple[str, Sequence[Bar]]]) -> str:
    """Charts, each with its name, as the text of an SVG file."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {len(charts) * (HEIGHT + GAP) + 40}" '
        f'font-family="system-ui, sans-serif" font-size="12" fill="{_INK}">',
        f"<title>{escape(title)}</title>",
        '<rect width="100%" height="100%" fill="#ffffff"/>',
        f'<text x="16" y="24" font-size="16" font-weight="600">{escape(title)}</text>',
    ]
    for at, (name, bars) in enumerate(charts):
        parts += _chart(name, bars, 40 + at * (HEIGHT + GAP))
    return "\n".join([*parts, "</svg>", ""])


def _chart(name: str, bars: Sequence[Bar], top: int) -> list[str]:
    """One chart, `top` units from the upper edge; bars hang down where values are negative."""
    left, right = 60, WIDTH - 16
    high = max([bar.value + _shown(bar.half) for bar in bars] + [0.0])
    low = min([bar.value - _shown(bar.half) for bar in bars] + [0.0])
    step = _step(high - low or 1.0)
    high, low = step * -(-high // step), step * (low // step)
    span = high - low or step

    def y(value: float) -> float:
        return round(top + 36 + (high - value) / span * (HEIGHT - 60), 1)

    parts = [f'<text x="16" y="{top + 12}" font-weight="600">{escape(name)}</text>']
    value = low
    while value <= high + step / 2:
        parts.append(
            f'<line x1="{left}" x2="{right}" y1="{y(value)}" y2="{y(value)}" '
            f'stroke="{_LINE}" stroke-width="0.6"/>'
        )
        parts.append(f'<text x="{left - 6}" y="{y(value) + 4}" text-anchor="end">{value:g}</text>')
        value = round(value + step, 10)
    room = (right - left) / max(1, len(bars))
    for at, bar in enumerate(bars):
        middle = round(left + room * (at + 0.5), 1)
        wide = round(min(48.0, room * 0.7), 1)
        edge = sorted((y(bar.value), y(0.0)))
        parts.append(
            f'<rect x="{round(middle - wide / 2, 1)}" y="{edge[0]}" width="{wide}" '
            f'height="{round(edge[1] - edge[0], 1)}" fill="{_BAR}"/>'
        )
        if _shown(bar.half):
            parts.append(
                f'<line x1="{middle}" x2="{middle}" y1="{y(bar.value - bar.half)}" '
                f'y2="{y(bar.value + bar.half)}" stroke="{_INK}"/>'
            )
        parts.append(
            f'<text x="{middle}" y="{top + HEIGHT - 8}" text-anchor="middle">{escape(bar.label)}</text>'
        )
        parts.append(
            f'<text x="{middle}" y="{min(edge[0], y(bar.value + _shown(bar.half))) - 4}" '
            f'text-anchor="middle" font-size="10">{bar.value:.4g}</text>'
        )
    return parts


def _shown(half: float) -> float:
    """An interval that can be drawn."""
    return half if half < 1e9 else 0.0


def _step(span: float) -> float:
    """A round distance between grid lines, so that there are about five of them."""
    size = 10.0 ** len(str(int(span))) / 100
    for factor in (1, 2, 5, 10, 20, 50, 100):
        if span / (size * factor) <= 6:
            return size * factor
    return span
