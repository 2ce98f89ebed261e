"""A report as one HTML page without other files: to read, print and file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

from croupier.audit.report.groups import JudgedGroup, ReportSection
from croupier.audit.report.report_text import (
    METHODS,
    day_note,
    difference_table,
    drop_note,
    hit_table,
    meter_table,
    money_table,
    return_table,
    title_of,
    verdict,
)
from croupier.audit.report.return_report import ReturnReport
from croupier.tabular import Legend, Page, PagePart, PageSection, Plot
from croupier.tabular.plots import svg_plot, svg_text

_ROW, _LEFT, _RIGHT, _WIDTH = 22, 190, 850, 900
_MOST_ROWS = 60
_WIDE = "stroke:var(--b99,#7fb59a);stroke-width:9"
_NARROW = "stroke:var(--b90,#1f8459);stroke-width:9"
_MEAN = "stroke:var(--mean,#d99a1c);stroke-width:2"
_DOT = "fill:var(--ink,#14201b);stroke:var(--page,#fbf9f3)"
_OUTSIDE = "fill:var(--bad,#a5161f);stroke:var(--page,#fbf9f3)"


def report_page(report: ReturnReport, footer: str = "") -> Page:
    """Return the report as a page; `footer` names its author and program."""
    first, last = report.span.first or "the first", report.span.last or "the last"
    differences = []
    if report.differs:
        differences = [PageSection("Differences", [difference_table(report)])]
    return Page(
        "Actual against theoretical return",
        [
            ("Source", report.source),
            ("Games", ", ".join(game.document for game in report.games)),
            ("Days", f"from {first} to {last}. {day_note(report)}"),
            ("Drop", drop_note(report)),
        ],
        [
            *differences,
            *map(_section, (report.all_rounds, *report.sections)),
            PageSection("Meters", [meter_table(report)]),
            PageSection("Methods", [METHODS]),
        ],
        says=verdict(report),
        footer=footer,
    )


def _section(section: ReportSection) -> PageSection:
    picture = _interval_plot(section)
    tables = return_table(section), hit_table(section), money_table(section)
    drawn: list[PagePart] = [_legend(section), picture] if picture else []
    return PageSection(title_of(section.grouping), [*drawn, *tables])


def _legend(section: ReportSection) -> Legend:
    """Name the narrowest and the widest bounds, which are drawn."""
    bounds = section.groups[0].win.bounds
    widest = ("b99", f"{bounds[-1].level} % of fair games")
    narrow = [("b90", f"{bounds[0].level} % ")] if len(bounds) > 1 else []
    told = "line: the return in theory · dot: the actual return"
    return Legend("", (*narrow, widest), told)


def _interval_plot(section: ReportSection) -> Plot | None:
    """Draw each group's bounds, theory and actual return; None: nothing to draw."""
    drawn = [judged for judged in section.groups if judged.group.at_risk_cents]
    if not drawn or len(drawn) > _MOST_ROWS:
        return None
    ends = [value for judged in drawn for value in _values(judged)]
    low, high = min(ends), max(ends)
    high = max(high, low + 0.01)

    def x(value: float) -> float:
        return _LEFT + (value - low) / (high - low) * (_RIGHT - _LEFT)

    rows = [_row(judged, place, x) for place, judged in enumerate(drawn)]
    bottom = len(drawn) * _ROW + 20
    edges = svg_text(x(low), bottom, f"{low * 100:.1f} %", "start") + svg_text(
        x(high), bottom, f"{high * 100:.1f} %", "end"
    )
    told = f"{title_of(section.grouping)}: the return of each group and its bounds"
    return svg_plot(told, _WIDTH, bottom + 8, [*rows, edges])


def _values(judged: JudgedGroup) -> list[float]:
    """Return the actual return, the theoretical one, and the widest bounds' ends.

    The ends of the narrowest bounds follow if there is more than one level.
    """
    group, bounds = judged.group, judged.win.bounds
    drawn = [bounds[-1], *bounds[:1]] if len(bounds) > 1 else bounds
    ends = [end for bound in drawn for end in (bound.high, bound.low)]
    wins: list[int | Fraction] = [group.win_cents, group.win.mean, *ends]
    return [group.returned_by(win) for win in wins]


def _row(judged: JudgedGroup, place: int, x: Callable[[float], float]) -> str:
    actual, theory, *ends = (x(value) for value in _values(judged))
    y = place * _ROW + _ROW / 2
    name = " ".join(judged.key) or "all"
    dot = _OUTSIDE if judged.win.is_outside else _DOT
    return (
        svg_text(_LEFT - 8, y + 4, name, "end")
        + _line(ends[:2], y, _WIDE)
        + (_line(ends[2:], y, _NARROW) if ends[2:] else "")
        + f'<line style="{_MEAN}" x1="{theory:.1f}" x2="{theory:.1f}"'
        f' y1="{y - 8:.1f}" y2="{y + 8:.1f}"/>'
        f'<circle style="{dot}" cx="{actual:.1f}" cy="{y:.1f}" r="5"/>'
    )


def _line(ends: Sequence[float], y: float, style: str) -> str:
    first, last = ends
    return (
        f'<line style="{style}" x1="{first:.1f}" x2="{last:.1f}" y1="{y:.1f}"'
        f' y2="{y:.1f}"/>'
    )
