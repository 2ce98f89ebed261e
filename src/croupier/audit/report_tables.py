"""A report in tables, for the terminal and for a page."""

from __future__ import annotations

from croupier.audit.report_bounds import LEVELS, Bound, Method
from croupier.audit.report_groups import Dimension, Grouping, Judged
from croupier.audit.report_making import Report, Section
from croupier.audit.report_meters import Meter
from croupier.odds.tables import Table
from croupier.rules.notation import write_cents

METHODS = (
    "At risk is what could be lost: stakes, without what lay above a maximum and"
    " without wagers that were returned whatever came up; void rounds don’t count."
    " House win is what was collected, less what was paid. The return is what Players"
    " had back of what was at risk: 1 less House win over at risk. A round counts"
    " once, as it was settled last, on the gaming day of its first settlement. The"
    " theoretical return is exact: the chips as they lay, against every outcome with"
    " its exact probability. So are the expected House win and its variance: rounds"
    " don’t depend on one another, wagers in one round do, and each round is taken"
    " whole. A hit is an area with chips at risk that was paid, once a round however"
    " many Players were on it. The bounds are central: at a fair game a figure lies"
    " below them as rarely as above. Method “convolution”: true quantiles. Method"
    " “Bernstein”, marked ≤: bounds that hold whatever the distribution is, from the"
    " exact variance and range; wider than they need be. One group in a hundred lies"
    " outside 99 % by chance, one in twenty outside 95 %. Meters count a settlement on"
    " the day it was made, and a correction on its own day."
)
_HEADS = {Dimension.TABLE: "table", Dimension.DAY: "day", Dimension.TYPE: "type"}
_TITLES = {
    Dimension.TABLE: "table",
    Dimension.DAY: "gaming day",
    Dimension.TYPE: "wager type",
}


def title_of(grouping: Grouping) -> str:
    """`By table`, `By gaming day and wager type`; `All together`."""
    if not grouping:
        return "All together"
    return "By " + " and ".join(_TITLES[each] for each in grouping)


def whole_section(report: Report) -> Section:
    return Section((), (report.whole,))


def _heads(grouping: Grouping) -> tuple[str, ...]:
    return tuple(_HEADS[each] for each in grouping) or ("",)


def _key(judged: Judged) -> tuple[str, ...]:
    return judged.key or ("all",)


def money(cents: int) -> str:
    sign = "-" if cents < 0 else ""
    return f"{sign}{write_cents(abs(cents))}"


def percent(part: float | None) -> str:
    return "" if part is None else f"{part * 100:.2f} %"


def return_table(section: Section) -> Table:
    """Actual against theoretical return, and where it may lie."""
    ends = tuple(f">{level} % of fair games" for level in LEVELS)
    return Table(
        f"{title_of(section.grouping)}: the return to Players",
        (
            *_heads(section.grouping),
            ">rounds",
            ">wagers",
            ">at risk",
            ">House win",
            ">actual",
            ">theoretical",
            *ends,
            "the return is",
        ),
        [_return_row(judged) for judged in section.groups],
    )


def _return_row(judged: Judged) -> tuple[str, ...]:
    group = judged.group
    actual, theory = group.actual_return, group.theoretical_return
    return (
        *_key(judged),
        f"{group.rounds:,}",
        f"{group.wagers:,}",
        money(group.at_risk_cents),
        money(group.win_cents),
        percent(None if actual is None else float(actual)),
        percent(None if theory is None else float(theory)),
        *(_return_ends(judged, bound) for bound in judged.win_bounds),
        returned_says(judged),
    )


def _return_ends(judged: Judged, bound: Bound) -> str:
    """A high House win is a low return."""
    if not judged.group.at_risk_cents:
        return ""
    low = judged.group.returned_by(bound.high)
    high = judged.group.returned_by(bound.low)
    return _marked(bound, f"{low * 100:.2f} – {high * 100:.2f} %")


def _marked(bound: Bound, text: str) -> str:
    return f"≤ {text}" if bound.method is Method.BERNSTEIN else text


def returned_says(judged: Judged) -> str:
    """Where the return lies: it is high where the House's win is low."""
    said = judged.says
    if not judged.group.at_risk_cents:
        return "nothing at risk"
    word, _, rest = said.partition(" ")
    return f"{_OTHER_SIDE.get(word, word)} {rest}"


_OTHER_SIDE = {"below": "above", "above": "below"}


def hit_table(section: Section) -> Table:
    """Hits against those expected, and where they may lie."""
    ends = tuple(f">{level} % of fair games" for level in LEVELS)
    return Table(
        f"{title_of(section.grouping)}: hits",
        (*_heads(section.grouping), ">hits", ">expected", *ends, "they are"),
        [
            (
                *_key(judged),
                f"{judged.group.hits:,}",
                f"{float(judged.group.hit.mean):,.1f}",
                *(_marked(b, f"{b.low:,} – {b.high:,}") for b in judged.hit_bounds),
                judged.hits_say,
            )
            for judged in section.groups
        ],
    )


def money_table(section: Section) -> Table:
    """What was staked, and what became of it."""
    return Table(
        f"{title_of(section.grouping)}: stakes and what became of them",
        (
            *_heads(section.grouping),
            ">staked",
            ">at risk",
            ">paid",
            ">collected",
            ">returned",
            ">House win",
            ">expected",
            ">standard deviation",
        ),
        [
            (
                *_key(judged),
                *map(money, judged.group.amounts),
                money(judged.group.win_cents),
                f"{float(judged.group.win.mean) / 100:.2f}",
                f"{float(judged.group.win.variance) ** 0.5 / 100:.2f}",
            )
            for judged in section.groups
        ],
    )


def meter_table(report: Report) -> Table:
    """By table and gaming day, and all together."""
    rows = [
        (table, day or "", *_meter_row(report.meters[table, day]))
        for table, day in sorted(
            report.meters, key=lambda place: (place[0], place[1] or "")
        )
    ]
    return Table(
        "Meters",
        (
            "table",
            "day",
            ">rounds",
            ">voids",
            ">corrections",
            ">handle",
            ">paid",
            ">House win",
            ">hold",
        ),
        [*rows, ("all", "", *_meter_row(report.meters.whole))],
    )


def _meter_row(meter: Meter) -> tuple[str, ...]:
    hold = meter.win_cents / meter.handle_cents if meter.handle_cents else None
    return (
        f"{meter.rounds:,}",
        f"{meter.voids:,}",
        "" if meter.corrections is None else f"{meter.corrections:,}",
        money(meter.handle_cents),
        money(meter.paid_cents),
        money(meter.win_cents),
        percent(hold),
    )
