"""Plots as SVG text for pages and notebooks.

A colour is a variable of the page's style with a fallback colour. So a plot is readable
on any page, light or dark.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, floor, log10

from croupier.odds.bands import LEVELS, ROUNDS, ReturnBand
from croupier.odds.distribution import Distribution
from croupier.tabular import Plot
from croupier.tabular.figures import rounded
from croupier.tabular.plots import svg_plot, svg_text

_Scale = Callable[[float], float]

_GRID = "stroke:var(--hair,#8a948f55)"
_MEAN = "stroke:var(--mean,#d99a1c);stroke-width:1.5;stroke-dasharray:4 3"
_BAR = "fill:var(--b90,#1f8459)"
_BANDS = {
    90: "fill:var(--b90,#1f8459)",
    95: "fill:var(--b95,#4c9a78)",
    99: "fill:var(--b99,#7fb59a)",
}
_WIDTH, _HEIGHT = 320, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 308, 12, 160
_MOST_LABELS = 12


def funnel(title: str, bands: Sequence[ReturnBand], mean: float) -> Plot:
    """Draw the bands of the return, which narrow with the rounds."""
    low, high = min(b.low for b in bands), max(b.high for b in bands)
    room = (high - low) * 0.05 or 0.01
    low, high = low - room, high + room

    def x(rounds: float) -> float:
        first, last = log10(ROUNDS[0]), log10(ROUNDS[-1])
        return _LEFT + (log10(rounds) - first) / (last - first) * (_RIGHT - _LEFT)

    def y(value: float) -> float:
        return _BOTTOM - (value - low) / (high - low) * (_BOTTOM - _TOP)

    parts = [_grid(y, low, high), _rounds_axis(x)]
    for level in sorted(LEVELS, reverse=True):
        of_level = [band for band in bands if band.level == level]
        edge = [(x(band.rounds), y(band.high)) for band in of_level]
        edge += [(x(band.rounds), y(band.low)) for band in reversed(of_level)]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in edge)
        parts.append(f'<polygon style="{_BANDS[level]}" points="{points}"/>')
    parts.append(_across(y(mean), _MEAN))
    label = f"{title}: bands of the return after 1,000 to 10,000,000 rounds"
    return svg_plot(label, _WIDTH, _HEIGHT, parts)


def _across(at: float, style: str) -> str:
    return (
        f'<line style="{style}" x1="{_LEFT}" x2="{_RIGHT}" y1="{at:.1f}"'
        f' y2="{at:.1f}"/>'
    )


def _grid(y: _Scale, low: float, high: float) -> str:
    return "".join(
        _across(y(value), _GRID)
        + svg_text(_LEFT - 6, y(value) + 4, f"{value * 100:.4g} %", "end")
        for value in _ticks(low, high)
    )


def _ticks(low: float, high: float) -> list[float]:
    """Return three to seven round values between `low` and `high`."""
    about = 10.0 ** floor(log10((high - low) / 3))
    step = max(s for s in (about, 2 * about, 5 * about) if s <= (high - low) / 3)
    return [place * step for place in range(ceil(low / step), floor(high / step) + 1)]


def _rounds_axis(x: _Scale) -> str:
    return "".join(
        svg_text(x(rounds), _BOTTOM + 18, f"10{power}", "middle")
        for rounds in ROUNDS
        for power in ["⁰¹²³⁴⁵⁶⁷⁸⁹"[len(str(rounds)) - 1]]
    )


def level_bars(label: str, bars: Sequence[tuple[str, float]]) -> Plot:
    """Draw one bar below the other, each with its name and value."""
    most = max((length for _, length in bars), default=0) or 1
    row, left, width = 24, 250, 640
    parts = []
    for place, (name, length) in enumerate(bars):
        top = place * row
        long = length / most * (width - left - 70)
        parts.append(
            svg_text(left - 8, top + 16, name, "end")
            + f'<rect style="{_BAR}" x="{left}" y="{top + 5}"'
            f' width="{max(long, 1):.1f}" height="14" rx="2"/>'
            + svg_text(left + long + 6, top + 16, f"{length:.2f}", "start")
        )
    return svg_plot(label, width, row * len(bars), parts)


def distribution_bars(distribution: Distribution, label: str) -> Plot:
    """Draw a bar for each value, as high as its probability."""
    width, bottom, top = 640, 180, 24
    chances = [float(chance) for chance in distribution.probabilities]
    step = (width - 20) / len(chances)
    labelled = len(chances) <= _MOST_LABELS
    parts = []
    for place, (value, chance) in enumerate(
        zip(distribution.values, chances, strict=True)
    ):
        high = max(chance / max(chances) * (bottom - top), 0.5)
        left = 10 + place * step + step * 0.1
        parts.append(
            f'<rect style="{_BAR}" x="{left:.1f}" y="{bottom - high:.1f}"'
            f' width="{step * 0.8:.1f}" height="{high:.1f}"/>'
        )
        if labelled:
            middle = left + step * 0.4
            parts.append(svg_text(middle, bottom + 16, rounded(value), "middle"))
            parts.append(svg_text(middle, bottom - high - 5, f"{chance:.4g}", "middle"))
    if not labelled:
        parts.append(svg_text(10, bottom + 16, rounded(distribution.least), "start"))
        last = rounded(distribution.greatest)
        parts.append(svg_text(width - 10, bottom + 16, last, "end"))
    return svg_plot(label, width, bottom + 24, parts)
