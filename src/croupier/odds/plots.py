"""Plots of a PAR sheet as SVG text; their colours are the page's style."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from math import ceil, floor, log10

from croupier.odds.bands import LEVELS, ROUNDS, Band
from croupier.odds.sheet import Kind

_Scale = Callable[[float], float]

_WIDTH, _HEIGHT = 320, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 52, 308, 12, 160


def funnel(kind: Kind) -> str:
    """The bands of one sort of wager, narrowing as the rounds go on."""
    low, high = _range(kind.bands)

    def x(rounds: float) -> float:
        first, last = log10(ROUNDS[0]), log10(ROUNDS[-1])
        return _LEFT + (log10(rounds) - first) / (last - first) * (_RIGHT - _LEFT)

    def y(value: float) -> float:
        return _BOTTOM - (value - low) / (high - low) * (_BOTTOM - _TOP)

    parts = [_grid(y, low, high), _rounds_axis(x)]
    for level in sorted(LEVELS, reverse=True):
        bands = [band for band in kind.bands if band.level == level]
        edge = [(x(band.rounds), y(band.high)) for band in bands]
        edge += [(x(band.rounds), y(band.low)) for band in reversed(bands)]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in edge)
        parts.append(f'<polygon class="band b{level}" points="{points}"/>')
    at = y(float(kind.odds.return_to_player))
    parts.append(
        f'<line class="mean" x1="{_LEFT}" x2="{_RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>'
    )
    told = f"{kind.title}: bands of the return after 1,000 to 10,000,000 rounds"
    return _svg(told, _WIDTH, _HEIGHT, parts)


def _range(bands: Sequence[Band]) -> tuple[float, float]:
    low, high = min(b.low for b in bands), max(b.high for b in bands)
    room = (high - low) * 0.05 or 0.01
    return low - room, high + room


def _grid(y: _Scale, low: float, high: float) -> str:
    return "".join(
        f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y(value):.1f}"'
        f' y2="{y(value):.1f}"/><text class="tick" x="{_LEFT - 6}"'
        f' y="{y(value) + 4:.1f}" text-anchor="end">{value * 100:.4g} %</text>'
        for value in _ticks(low, high)
    )


def _ticks(low: float, high: float) -> list[float]:
    """Three to seven round values between the two."""
    about = 10 ** floor(log10((high - low) / 3))
    step = max(s for s in (about, 2 * about, 5 * about) if s <= (high - low) / 3)
    return [place * step for place in range(ceil(low / step), floor(high / step) + 1)]


def _rounds_axis(x: _Scale) -> str:
    return "".join(
        f'<text class="tick" x="{x(rounds):.1f}" y="{_BOTTOM + 18}"'
        f' text-anchor="middle">10{_power(rounds)}</text>'
        for rounds in ROUNDS
    )


def _power(rounds: int) -> str:
    return "⁰¹²³⁴⁵⁶⁷⁸⁹"[len(str(rounds)) - 1]


def volatility_bars(kinds: Sequence[Kind]) -> str:
    """One bar for each sort of wager, as long as its volatility index."""
    most = max(kind.volatility_index for kind in kinds) or 1
    row, left, width = 24, 250, 640
    parts = []
    for place, kind in enumerate(kinds):
        top = place * row
        long = kind.volatility_index / most * (width - left - 70)
        parts.append(
            f'<text class="tick" x="{left - 8}" y="{top + 16}" text-anchor="end">'
            f"{escape(kind.odds.name)}</text>"
            f'<rect class="bar" x="{left}" y="{top + 5}" width="{max(long, 1):.1f}"'
            f' height="14" rx="2"/><text class="tick" x="{left + long + 6:.1f}"'
            f' y="{top + 16}">{kind.volatility_index:.2f}</text>'
        )
    return _svg("Volatility index by sort of wager", width, row * len(kinds), parts)


def _svg(told: str, width: int, height: int, parts: Sequence[str]) -> str:
    return (
        f'<svg role="img" aria-label="{escape(told)}" viewBox="0 0 {width} {height}"'
        f' width="{width}" height="{height}"><title>{escape(told)}</title>'
        f"{''.join(parts)}</svg>"
    )
