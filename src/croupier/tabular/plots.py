"""Plots: the one type of picture that functions return, and the style of all plots."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from croupier.errors import CroupierError
from croupier.extras import needing

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


class PlotError(CroupierError):
    """The picture can't be written as that kind of file."""


@dataclass(frozen=True)
class Plot:
    """A picture that a notebook shows by itself, and that `save` writes to a file."""

    drawn: str | Figure
    """SVG, or a figure of matplotlib."""
    title: str = ""
    """Shown above it on a page, where several stand side by side."""
    subject: str = ""

    @cached_property
    def svg(self) -> str:
        """The picture as SVG; the same picture is the same text."""
        return self.drawn if isinstance(self.drawn, str) else _figure_svg(self.drawn)

    @property
    def figure(self) -> Figure:
        """The figure of matplotlib, to be changed; `PlotError` where there is none."""
        if isinstance(self.drawn, str):
            raise PlotError("this picture was drawn as SVG, without matplotlib")
        return self.drawn

    def save(self, path: str | Path) -> None:
        """Write the picture to a file: `.svg`, and `.png` where matplotlib drew it."""
        from pathlib import Path

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
    """Draw the figure without a date and with fixed ids."""
    import io

    import matplotlib as mpl

    written = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "croupier"}):
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure that needs no screen; raise `MissingExtra`."""
    with needing("odds"):
        from matplotlib.figure import Figure
    return Figure(figsize=(width, height), layout="constrained")


def legend_above(axes: Axes) -> None:
    """Put the legend in a line above the picture, where it covers nothing of it."""
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=0.2,
        ncols=len(axes.get_legend_handles_labels()[0]),
        fontsize=8,
        frameon=False,
    )
