"""Plots drawn as SVG text, in the colours of the page that shows them."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from croupier.tabular.plots import Plot

_TEXT = "font:12px sans-serif;fill:var(--ink-2,#6c7a73)"


def svg_text(x: float, y: float, text: str, anchor: str) -> str:
    """Return a word of a plot, in the style sheet's second ink."""
    return (
        f'<text style="{_TEXT}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def svg_plot(told: str, width: int, height: int, parts: Sequence[str]) -> Plot:
    """Return the parts as one picture; screen readers read `told`."""
    return Plot(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escape(told)}" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}"><title>{escape(told)}</title>{"".join(parts)}</svg>'
    )
