"""The figures in text and on pages, held against those of the JSON document.

What a cell has to say is worked out from the document by the heading of its column.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from tests.figures.command import croupier, figures

Cells = list[dict[str, str]]
"""The rows of a table: what stands under each heading."""
Group = dict[str, Any]

RETURN, HITS, MONEY = (
    "the return to Players",
    "hits",
    "stakes and what became of them",
)
TITLES = {
    "table": "By table",
    "day": "By gaming day",
    "type": "By wager type",
    "dealer": "By Dealer",
}
SOURCES = (
    ("samples/settled.csv", "--game", "mbs-roulette-v3"),
    ("samples/house.jsonl",),
)


class Tables(HTMLParser):
    """Reads the tables of a page by their captions."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self._caption = ""
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._inside = tag
        if tag == "table":
            self._caption = ""
        elif tag == "tr":
            self.found.setdefault(self._caption, []).append([])
        elif tag in {"td", "th"}:
            self.found[self._caption][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "caption":
            self._caption += data
        elif self._inside in {"td", "th"}:
            self.found[self._caption][-1][-1] += data


def tables_of_page(text: str) -> dict[str, Cells]:
    reader = Tables()
    reader.feed(text)
    return {
        caption: [dict(zip(head, row, strict=True)) for row in rows]
        for caption, (head, *rows) in reader.found.items()
    }


def tables_of_text(text: str) -> dict[str, Cells]:
    """Return the tables by the line above them; a cell ends with its heading."""
    found = {}
    for block in text.split("\n\n"):
        title, *lines = block.splitlines()
        if len(lines) > 1 and "  " in lines[0]:
            found[title] = list(_rows(lines[0], lines[1:]))
    return found


def _rows(head: str, lines: list[str]) -> Iterator[dict[str, str]]:
    named = [match.group() for match in re.finditer(r"\S+(?: \S+)*", head)]
    for line in lines:
        cells = re.split(r"  +", line.strip())
        headings = named if len(cells) == len(named) else ["", *named]
        # A line with an empty cell has fewer: such tables are read by places.
        if len(cells) != len(headings):
            headings, cells = _by_places(head, line)
        yield dict(zip(headings, cells, strict=True))


def _by_places(head: str, line: str) -> tuple[list[str], list[str]]:
    spots = [(m.group(), *m.span()) for m in re.finditer(r"\S+(?: \S+)*", head)]
    cells = [(m.group(), *m.span()) for m in re.finditer(r"\S+(?: \S+)*", line)]
    found = [
        "".join(text for text, low, high in cells if low < end and high > begin)
        for _, begin, end in spots
    ]
    return [name for name, _, _ in spots], found


def money(cents: int | str | Fraction | float | None) -> str:
    return "" if cents is None else f"{float(Fraction(cents)) / 100:,.2f}"


def percent(figure: str | None) -> str:
    return "" if figure is None else f"{100 * float(Fraction(figure)):.2f} %"


def count(figure: int | None) -> str:
    return "" if figure is None else f"{figure:,}"


def p_value(told: dict[str, float]) -> str:
    """Return the higher end; if the lower one differs, the value before it."""
    digits = ".4f" if told["high"] >= 0.001 else ".1e"
    value, low, high = (f"{told[end]:{digits}}" for end in ("value", "low", "high"))
    return high if low == high else f"≈ {value} (≤ {high})"


def returned(level: int) -> Callable[[Group], str]:
    """Return what says the bounds of the return: those of the win, turned round."""

    def said(group: Group) -> str:
        [bound] = [each for each in group["win_bounds"] if each["level"] == level]
        low, high = (
            100 * (1 - bound[end] / group["at_risk_cents"]) for end in ("high", "low")
        )
        return f"{low:.2f} – {high:.2f} %"

    return said


def hit(level: int) -> Callable[[Group], str]:
    def said(group: Group) -> str:
        [bound] = [each for each in group["hit_bounds"] if each["level"] == level]
        return f"{bound['low']} – {bound['high']}"

    return said


COLUMNS: dict[str, dict[str, Callable[[Group], str]]] = {
    RETURN: {
        "rounds": lambda group: count(group["rounds"]),
        "wagers": lambda group: count(group["wagers"]),
        "at risk": lambda group: money(group["at_risk_cents"]),
        "House win": lambda group: money(group["house_win_cents"]),
        "actual": lambda group: percent(group["actual_return"]),
        "theoretical": lambda group: percent(group["theoretical_return"]),
        "95 % of fair games": returned(95),
        "99 % of fair games": returned(99),
        "p-value": lambda group: p_value(group["p_value"]),
        "Holm": lambda group: p_value(group["p_value_holm"]),
        "the return is": lambda group: group["return_is"],
    },
    HITS: {
        "hits": lambda group: count(group["hits"]),
        "expected": lambda group: f"{float(Fraction(group['expected_hits'])):.1f}",
        "95 % of fair games": hit(95),
        "99 % of fair games": hit(99),
        "p-value": lambda group: p_value(group["hits_p_value"]),
        "Holm": lambda group: p_value(group["hits_p_value_holm"]),
        "they are": lambda group: group["hits_are"],
    },
    MONEY: {
        "staked": lambda group: money(group["stake_cents"]),
        "at risk": lambda group: money(group["at_risk_cents"]),
        "paid": lambda group: money(group["paid_cents"]),
        "collected": lambda group: money(group["collected_cents"]),
        "returned": lambda group: money(group["returned_cents"]),
        "House win": lambda group: money(group["house_win_cents"]),
        "expected": lambda group: money(group["expected_win_cents"]),
        "standard deviation": lambda group: money(
            math.sqrt(Fraction(group["win_variance"]))
        ),
    },
}
METER: dict[str, Callable[[Group], str]] = {
    "table": lambda meter: meter["table"],
    "day": lambda meter: meter["day"],
    "rounds": lambda meter: count(meter["rounds"]),
    "voids": lambda meter: count(meter["voids"]),
    "corrections": lambda meter: count(meter["corrections"]),
    "handle": lambda meter: money(meter["handle_cents"]),
    "paid": lambda meter: money(meter["paid_cents"]),
    "House win": lambda meter: money(meter["win_cents"]),
    "hold": lambda meter: percent(meter["hold"]),
    "drop": lambda meter: money(meter["drop_cents"]),
    "hold of drop": lambda meter: percent(meter["hold_of_drop"]),
}


def check_rows(
    rows: Cells, groups: list[Group], columns: dict[str, Callable[[Group], str]]
) -> int:
    """Check each cell of which the column is known; return how many they were."""
    checked = 0
    for row, group in zip(rows, groups, strict=True):
        for heading, cell in row.items():
            if heading in columns:
                assert cell == columns[heading](group), (heading, row)
                checked += 1
    return checked


def check_tables(tables: dict[str, Cells], told: dict[str, Any]) -> int:
    """Hold every table of a report against the document."""
    checked = 0
    sections = [("All together", [told["all"]])]
    sections += [(TITLES[s["by"][0]], s["groups"]) for s in told["sections"]]
    for title, groups in sections:
        for kind in (RETURN, HITS):
            rows = tables[f"{title}: {kind}"]
            checked += check_rows(rows, groups, COLUMNS[kind])
            headings = rows[0].keys() - COLUMNS[kind].keys()
            assert headings <= {"", *TITLES}
    checked += check_rows(
        tables[f"All together: {MONEY}"], [told["all"]], COLUMNS[MONEY]
    )
    *each, every = tables["Meters"]
    meters = sorted(told["meters"], key=lambda meter: (meter["table"], meter["day"]))
    checked += check_rows(each, meters, METER)
    sums: Counter[str] = Counter()
    for meter in told["meters"]:
        sums.update({key: v for key, v in meter.items() if isinstance(v, int)})
    for heading in ("rounds", "voids", "handle", "paid", "House win"):
        assert every[heading] == METER[heading](sums)
    return checked


@pytest.mark.parametrize("source", SOURCES, ids=["file", "journal"])
def test_a_report_says_the_same_in_text_and_on_its_page(
    source: tuple[str, ...], tmp_path: Path
) -> None:
    page = tmp_path / "report.html"
    text = croupier("report", *source).out

    told = figures("report", *source, "--html", str(page))

    in_text = check_tables(tables_of_text(text), told)
    on_page = check_tables(tables_of_page(page.read_text(encoding="utf-8")), told)
    assert in_text >= 300
    assert on_page >= 300
