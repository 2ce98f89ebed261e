"""The `Plot` that every plotting function returns, and the style of all plots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from croupier.errors import CroupierError
from croupier.extras import needing

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NAVY, BLUE, RED, GREEN = "#16325c", "#2f5fa7", "#b3261e", "#1b7f4d"
AMBER, GREY, BLACK = "#d99a1c", "#6b6b6b", "#2b2b2b"
"""The colours of plots that matplotlib draws."""
_TEXT = "font:12px sans-serif;fill:var(--ink-2,#6c7a73)"


class PlotError(CroupierError):
    """The picture has no such form: a wrong file type, or no matplotlib figure."""


@dataclass(frozen=True)
class Plot:
    """A picture. A notebook shows it, and `save` writes it to a file."""

    drawn: str | Figure
    """SVG, or a figure of matplotlib."""
    title: str = ""
    """Shown above the picture on a page with several."""
    subject: str = ""

    @cached_property
    def svg(self) -> str:
        """The picture as SVG. The same picture always gives the same text."""
        return self.drawn if isinstance(self.drawn, str) else _figure_svg(self.drawn)

    @property
    def figure(self) -> Figure:
        """The matplotlib figure; raises `PlotError` if there is none."""
        if isinstance(self.drawn, str):
            raise PlotError("this picture was drawn as SVG, without matplotlib")
        return self.drawn

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: `.svg`, or `.png` if matplotlib drew it."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8")
        elif path.suffix == ".png" and not isinstance(self.drawn, str):
            self.drawn.savefig(path)
        else:
            kinds = ".svg" if isinstance(self.drawn, str) else ".svg or .png"
            raise PlotError(f"{path} must end in {kinds}")

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot {self.title}>" if self.title else "<Plot>"


def _figure_svg(figure: Figure) -> str:
    """Draw the figure without a date and with fixed ids.

    Matplotlib's own ids follow from the layout, whose last digits differ by run.
    """
    import matplotlib as mpl

    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position(tuple(round(each, 9) for each in axes.get_position().bounds))
    written = StringIO()
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure that needs no screen; raise `MissingExtra`."""
    with needing("odds"):
        from matplotlib.figure import Figure
    return Figure(figsize=(width, height), layout="constrained")


def legend_above(axes: Axes) -> None:
    """Put the legend in a line above the picture."""
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=0.2,
        ncols=len(axes.get_legend_handles_labels()[0]),
        fontsize=8,
        frameon=False,
    )


def svg_text(x: float, y: float, text: str, anchor: str) -> str:
    """Return text for a plot, in the style sheet's secondary colour."""
    return (
        f'<text style="{_TEXT}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )


def svg_plot(label: str, width: int, height: int, parts: Sequence[str]) -> Plot:
    """Return the parts as one picture; screen readers read `label`."""
    return Plot(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img"'
        f' aria-label="{escape(label)}" viewBox="0 0 {width} {height}" width="{width}"'
        f' height="{height}"><title>{escape(label)}</title>{"".join(parts)}</svg>'
    )
