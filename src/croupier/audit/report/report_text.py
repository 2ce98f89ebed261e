"""A report as tables and as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from croupier.audit.report.bounds import Bound
from croupier.audit.report.groups import Dimension, Grouping, JudgedGroup
from croupier.audit.report.return_report import ReportSection, ReturnReport
from croupier.audit.report.rounds import Meter
from croupier.audit.report.row_check import RowDifference
from croupier.numeric.figure import BoundedValue
from croupier.rules.cents import write_cents
from croupier.tabular import TextTable

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
    " “enclosure”: amounts rounded to a coarser lattice, and bounds that are wider by"
    " what rounding can change. Methods “Berry-Esseen” and “Bernstein”, marked ≤:"
    " the tighter of two inequalities from the exact moments and range; wider than they"
    " need be, so that a figure inside them is only not shown to be outside. The"
    " p-value is twice the smaller tail: how rarely a fair game is so far out or"
    " further, to either side; after a ≈ it is Edgeworth’s approximation or the middle"
    " of an enclosure, and after the ≤ the proven bound. One group in a hundred"
    " lies outside 99 % by chance, one in twenty outside 95 %: Holm’s p-value is"
    " corrected for the number of groups beside it, and below 0.01 by chance in one"
    " such table of a hundred. Meters count a settlement on the day it was made, and a"
    " correction on its own day. Hold is House win over handle; hold of drop is House"
    " win over what was bought in."
)
_TITLES = {
    Dimension.TABLE: "table",
    Dimension.DAY: "gaming day",
    Dimension.TYPE: "wager type",
    Dimension.DEALER: "Dealer",
}


def title_of(grouping: Grouping) -> str:
    """`By table`, `By gaming day and wager type`; `All together`."""
    if not grouping:
        return "All together"
    return "By " + " and ".join(_TITLES[each] for each in grouping)


def whole_section(report: ReturnReport) -> ReportSection:
    return ReportSection.of((), (report.whole,))


def _heads(grouping: Grouping) -> tuple[str, ...]:
    return tuple(each.value for each in grouping) or ("",)


def _key(judged: JudgedGroup) -> tuple[str, ...]:
    return judged.key or ("all",)


def money(cents: int) -> str:
    """Write cents as currency units, their thousands apart: `1,234.50`."""
    units, _, hundredths = write_cents(cents).partition(".")
    sign, size = ("-", units[1:]) if cents < 0 else ("", units)
    return f"{sign}{int(size):,}.{hundredths}"


def percent(part: float | None) -> str:
    return "" if part is None else f"{part * 100:.2f} %"


def return_table(section: ReportSection) -> TextTable:
    """Actual against theoretical return, and where it may lie."""
    return TextTable(
        f"{title_of(section.grouping)}: the return to Players",
        (
            *_heads(section.grouping),
            ">rounds",
            ">wagers",
            ">at risk",
            ">House win",
            ">actual",
            ">theoretical",
            *_level_heads(section),
            *_p_heads(section),
            "the return is",
        ),
        [
            (*_return_row(judged), *_p_cells(section, p_values), returned_says(judged))
            for judged, *p_values in _with_p_values(section)
        ],
    )


def _level_heads(section: ReportSection) -> list[str]:
    bounds = section.groups[0].win.bounds
    return [f">{bound.level} % of fair games" for bound in bounds]


def _p_heads(section: ReportSection) -> list[str]:
    """Name the p-value, and the corrected one where there are several groups."""
    return [">p-value", *([">Holm"] if len(section.groups) > 1 else [])]


def _p_cells(section: ReportSection, p_values: Sequence[BoundedValue]) -> list[str]:
    return [_p_text(each) for each in p_values][: len(_p_heads(section))]


def _p_text(p_value: BoundedValue) -> str:
    """Return a p-value; after a ≈ if its ends differ, with the proven higher end."""
    if p_value.high == 0:
        return "0"
    digits = ".4f" if p_value.high >= 0.001 else ".1e"
    text = f"{p_value.high:{digits}}"
    is_known = text == f"{p_value.low:{digits}}" or p_value.low >= 0.98 * p_value.high
    return text if is_known else f"≈ {p_value.value:{digits}} (≤ {text})"


def _with_p_values(
    section: ReportSection,
) -> Iterator[tuple[JudgedGroup, BoundedValue, BoundedValue]]:
    for judged, corrected in zip(section.groups, section.win_holm, strict=True):
        yield judged, judged.win.p_value, corrected


def _return_row(judged: JudgedGroup) -> tuple[str, ...]:
    group = judged.group
    actual, theory = group.actual_return, group.theoretical_return
    return (
        *_key(judged),
        f"{group.rounds:,}",
        f"{group.wagers:,}",
        money(group.at_risk_cents),
        money(group.win_cents),
        percent(_float(actual)),
        percent(_float(theory)),
        *(_return_ends(judged, bound) for bound in judged.win.bounds),
    )


def _return_ends(judged: JudgedGroup, bound: Bound) -> str:
    """Return the ends of the return: a high House win is a low return."""
    if not judged.group.at_risk_cents:
        return ""
    low = judged.group.returned_by(bound.high)
    high = judged.group.returned_by(bound.low)
    return _marked(bound, f"{low * 100:.2f} – {high * 100:.2f} %")


def _marked(bound: Bound, text: str) -> str:
    return f"≤ {text}" if bound.method.is_loose else text


def returned_says(judged: JudgedGroup) -> str:
    """Say where the return lies: it is high where the House's win is low."""
    said = judged.says
    if not judged.group.at_risk_cents:
        return "nothing at risk"
    word, _, rest = said.partition(" ")
    return f"{_OTHER_SIDE.get(word, word)} {rest}"


_OTHER_SIDE = {"below": "above", "above": "below"}


def hit_table(section: ReportSection) -> TextTable:
    """Hits against those expected, and where they may lie."""
    return TextTable(
        f"{title_of(section.grouping)}: hits",
        (
            *_heads(section.grouping),
            ">hits",
            ">expected",
            *_level_heads(section),
            *_p_heads(section),
            "they are",
        ),
        [
            (
                *_key(judged),
                f"{judged.group.hits:,}",
                f"{float(judged.group.hit.mean):,.1f}",
                *(_marked(b, f"{b.low:,} – {b.high:,}") for b in judged.hits.bounds),
                *_p_cells(section, (judged.hits.p_value, corrected)),
                judged.hits_say,
            )
            for judged, corrected in zip(section.groups, section.hits_holm, strict=True)
        ],
    )


def money_table(section: ReportSection) -> TextTable:
    """Return the table of what was staked, and what became of it."""
    return TextTable(
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
                f"{float(judged.group.win.mean) / 100:,.2f}",
                f"{float(judged.group.win.variance) ** 0.5 / 100:,.2f}",
            )
            for judged in section.groups
        ],
    )


def meter_table(report: ReturnReport) -> TextTable:
    """Return the meters by table and gaming day, and all together."""
    rows = [
        (table, day or "", *_meter_row(report.meters[table, day]))
        for table, day in sorted(
            report.meters, key=lambda place: (place[0], place[1] or "")
        )
    ]
    return TextTable(
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
            ">drop",
            ">hold of drop",
        ),
        [*rows, ("all", "", *_meter_row(report.meters.whole))],
    )


def _meter_row(meter: Meter) -> tuple[str, ...]:
    return (
        f"{meter.rounds:,}",
        f"{meter.voids:,}",
        "" if meter.corrections is None else f"{meter.corrections:,}",
        money(meter.handle_cents),
        money(meter.paid_cents),
        money(meter.win_cents),
        percent(_float(meter.hold)),
        "" if meter.drop_cents is None else money(meter.drop_cents),
        percent(_float(meter.hold_of_drop)),
    )


def _float(part: Fraction | None) -> float | None:
    return None if part is None else float(part)


def difference_table(report: ReturnReport, most: int | None = None) -> TextTable:
    """Return the rows that are not what the rules give, `most` at most."""
    return TextTable(
        "Rows that are not what the rules give",
        (">row", "table", "round", "area", ">stake", "found, and what the rules give"),
        [
            (
                f"{each.row:,}",
                each.table,
                each.round,
                each.area,
                money(each.stake_cents),
                str(each),
            )
            for each in kept_differences(report)[:most]
        ],
    )


def kept_differences(report: ReturnReport) -> list[RowDifference]:
    """Return the differing rows that are listed; none where no rows were checked."""
    return [] if report.differences is None else report.differences.kept


def _check_note(report: ReturnReport) -> str:
    """Say whether each row is what the rules give, or who checks that."""
    differences = report.differences
    if differences is None:
        return "What was paid is taken as recorded: croupier audit settles it again."
    rows = f"{differences.rows:,} row{'' if differences.rows == 1 else 's'}"
    if not differences.count:
        return f"Settled again, {rows} are what the rules give."
    more = differences.count - len(differences.kept)
    listed = f", of which {more:,} are not listed" if more else ""
    are = "is" if differences.count == 1 else "are"
    return f"Of {rows}, {differences.count:,} {are} not what the rules give{listed}."


def head(report: ReturnReport) -> str:
    games = ", ".join(game.document for game in report.games)
    return f"{games}: {report.source}{_span(report)}"


def _span(report: ReturnReport) -> str:
    first, last = report.span.first, report.span.last
    from_day = f", from {first}" if first else ""
    return from_day + (f", to {last}" if last else "")


def drop_note(report: ReturnReport) -> str:
    """Say where the drop comes from, or that it is not known."""
    if report.meters.whole.drop_cents is None:
        return "The source tells no buy-ins: the drop is not known."
    return "The drop is what buy-ins, vouchers and colour chips brought to the tables."


def day_note(report: ReturnReport) -> str:
    """Say how gaming days were reckoned."""
    if not report.knows_days:
        return "The source tells no days."
    if report.writes_days:
        return "Gaming days are as the source writes them."
    if report.days.is_told:
        return f"Gaming days are those of {report.days.clock}."
    return (
        f"No house says when a gaming day begins: days are those of"
        f" {report.days.clock}; --time-zone and --day-start say otherwise."
    )


def verdict(report: ReturnReport) -> list[str]:
    """Say which groups lie outside, in sentences."""
    said = [_check_note(report), _whole_sentence(report.whole)]
    for section in report.sections:
        count = len(section.groups)
        groups = f"{count:,} group{'' if count == 1 else 's'}"
        said.append(f"{title_of(section.grouping)}: {groups}, {_outside(section)}.")
    return said


def _outside(section: ReportSection) -> str:
    """Return which groups lie outside, and which still do when corrected."""
    widest = section.groups[0].win.bounds[-1]
    outside = [judged for judged in section.groups if judged.win.is_outside]
    if not outside:
        return f"none outside {widest.level} %"
    told = f"outside {widest.level} %: {_named(outside)}"
    pairs = zip(section.groups, section.win_holm, strict=True)
    still = [judged for judged, corrected in pairs if corrected.high <= widest.left]
    if len(section.groups) == 1:
        return told
    if len(still) == len(outside):
        return f"{told}, also when corrected for their number"
    return f"{told}; when corrected for their number {_named(still) or 'none'}"


def _named(groups: Sequence[JudgedGroup]) -> str:
    named = ", ".join(" ".join(judged.key) for judged in groups[:10])
    return named + (f" and {len(groups) - 10} more" if len(groups) > 10 else "")


def _whole_sentence(judged: JudgedGroup) -> str:
    group = judged.group
    if not group.at_risk_cents:
        return "Nothing was at risk."
    actual, theory = group.actual_return, group.theoretical_return
    assert actual is not None
    assert theory is not None
    return (
        f"All together: a return of {float(actual) * 100:.2f} %, against"
        f" {float(theory) * 100:.2f} % in theory: {returned_says(judged)}."
    )
