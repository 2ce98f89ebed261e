"""A report as tables and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from croupier.audit.report.bounds import Bound, Judgement
from croupier.audit.report.groups import Grouping, JudgedGroup, ReportSection
from croupier.audit.report.return_report import ReturnReport
from croupier.audit.report.rounds import Dimension
from croupier.audit.rows import RowDifference
from croupier.numeric.figure import BoundedValue
from croupier.tabular import TextTable
from croupier.tabular.figures import counted, money, p_text, percent

METHODS = (
    "At risk is the part of the stakes that could be lost: not the excess over a"
    " maximum, and no wager that any outcome returns; void rounds don’t count. House"
    " win is collected less paid. The return is the share of the amount at risk that"
    " Players got back: 1 less House win over at risk. A round counts once, with its"
    " last settlement, on the gaming day of its first one. The theoretical return is"
    " exact: the chips as they lay, against every outcome with its exact probability."
    " So are the expected House win and its variance: rounds are independent, the"
    " wagers of one round are not, so a round is one unit. A hit is an area with chips"
    " at risk that was paid, counted once a round for any number of Players. The"
    " bounds are central: at a fair game a figure is as likely below them as above."
    " Method “convolution”: true quantiles. Method “enclosure”: amounts rounded to a"
    " coarser lattice, and bounds widened by the possible error. Methods"
    " “Berry-Esseen” and “Bernstein”, marked ≤: the tighter of two inequalities from"
    " the exact moments and range; they are too wide, so a figure inside them is only"
    " not shown to be outside. The p-value is twice the smaller tail: the probability"
    " that a fair game deviates at least this far, to either side; after a ≈ it is"
    " Edgeworth’s approximation or the middle of an enclosure, and after the ≤ the"
    " proven bound. One group in a hundred lies outside 99 % by chance, one in twenty"
    " outside 95 %: Holm’s p-value is corrected for the number of groups, and is below"
    " 0.01 by chance in one such table of a hundred. Meters count a settlement, and a"
    " correction, on its own day. Hold is House win over handle; hold of drop is House"
    " win over drop."
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


_Columns = dict[str, Callable[[JudgedGroup], str]]


def _table(section: ReportSection, about: str, columns: _Columns) -> TextTable:
    """Return a row for each group, which begins with its key."""
    keys: _Columns = {"": lambda _: "all"}
    if section.grouping:
        keys = {
            each.value: lambda row, at=at: row.key[at]  # type: ignore[misc]
            for at, each in enumerate(section.grouping)
        }
    title = f"{title_of(section.grouping)}: {about}"
    return TextTable.of(title, section.groups, {**keys, **columns})


def _judged_columns(
    section: ReportSection,
    judgement: Callable[[JudgedGroup], Judgement],
    ends: Callable[[JudgedGroup, Bound], str],
    holm: Callable[[JudgedGroup], BoundedValue],
) -> _Columns:
    """Return the bounds and the p-value; corrected too if there are several groups."""
    columns: _Columns = {
        f">{bound.level} % of fair games": lambda row, at=at: _ends(  # type: ignore[misc]
            row, judgement(row).bounds[at], ends
        )
        for at, bound in enumerate(section.groups[0].win.bounds)
    }
    columns[">p-value"] = lambda row: _enclosed_p_text(judgement(row).p_value)
    if len(section.groups) > 1:
        columns[">Holm"] = lambda row: _enclosed_p_text(holm(row))
    return columns


def _ends(
    judged: JudgedGroup, bound: Bound, ends: Callable[[JudgedGroup, Bound], str]
) -> str:
    text = ends(judged, bound)
    return f"≤ {text}" if text and bound.method.is_loose else text


def _enclosed_p_text(p_value: BoundedValue) -> str:
    """Return a p-value; after a ≈ if its ends differ, with the proven higher end."""
    about, low, text = (
        p_text(each, 0.001) for each in (p_value.value, p_value.low, p_value.high)
    )
    if text == low or p_value.low >= 0.98 * p_value.high:
        return text
    return f"≈ {about} (≤ {text})"


def return_table(section: ReportSection) -> TextTable:
    """Return a table of actual and theoretical return, with bounds."""
    columns: _Columns = {
        ">rounds": lambda row: f"{row.group.rounds:,}",
        ">wagers": lambda row: f"{row.group.wagers:,}",
        ">at risk": lambda row: money(row.group.at_risk_cents),
        ">House win": lambda row: money(row.group.win_cents),
        ">actual": lambda row: percent(row.group.actual_return, 2),
        ">theoretical": lambda row: percent(row.group.theoretical_return, 2),
        **_judged_columns(
            section, attrgetter("win"), _return_ends, attrgetter("win_holm")
        ),
        "the return is": returned_says,
    }
    return _table(section, "the return to Players", columns)


def _return_ends(judged: JudgedGroup, bound: Bound) -> str:
    """Return the ends of the return: a high House win is a low return."""
    group = judged.group
    if not group.at_risk_cents:
        return ""
    low, high = (group.returned_by(win) * 100 for win in (bound.high, bound.low))
    return f"{low:.2f} – {high:.2f} %"


def returned_says(judged: JudgedGroup) -> str:
    """Return the verdict on the return: high if the House's win is low."""
    if not judged.group.at_risk_cents:
        return "nothing at risk"
    word, _, rest = judged.win.says.partition(" ")
    return f"{_OTHER_SIDE.get(word, word)} {rest}"


_OTHER_SIDE = {"below": "above", "above": "below"}


def hit_table(section: ReportSection) -> TextTable:
    """Return a table of actual and expected hits, with bounds."""
    columns: _Columns = {
        ">hits": lambda row: f"{row.group.hits:,}",
        ">expected": lambda row: f"{float(row.group.hit.mean):,.1f}",
        **_judged_columns(
            section,
            attrgetter("hits"),
            lambda _, bound: f"{bound.low:,} – {bound.high:,}",
            attrgetter("hits_holm"),
        ),
        "they are": lambda row: row.hits.says,
    }
    return _table(section, "hits", columns)


def money_table(section: ReportSection) -> TextTable:
    """Return the table of stakes and their settlement."""
    columns: _Columns = {
        f">{name}": lambda row, at=at: money(row.group.amounts[at])  # type: ignore[misc]
        for at, name in enumerate(
            ("staked", "at risk", "paid", "collected", "returned")
        )
    }
    columns |= {
        ">House win": lambda row: money(row.group.win_cents),
        ">expected": lambda row: f"{float(row.group.win.mean) / 100:,.2f}",
        ">standard deviation": lambda row: (
            f"{float(row.group.win.variance) ** 0.5 / 100:,.2f}"
        ),
    }
    return _table(section, "stakes and what became of them", columns)


def meter_table(report: ReturnReport) -> TextTable:
    """Return the meters by table and gaming day, and all together."""
    places = sorted(report.meters, key=lambda place: (place[0], place[1] or ""))
    rows = [(table, day or "", report.meters[table, day]) for table, day in places]
    rows.append(("all", "", report.meters.whole))
    return TextTable.of(
        "Meters",
        rows,
        {
            "table": lambda row: row[0],
            "day": lambda row: row[1],
            ">rounds": lambda row: f"{row[2].rounds:,}",
            ">voids": lambda row: f"{row[2].voids:,}",
            ">corrections": lambda row: _told(row[2].corrections, "{:,}".format),
            ">handle": lambda row: money(row[2].handle_cents),
            ">paid": lambda row: money(row[2].paid_cents),
            ">House win": lambda row: money(row[2].win_cents),
            ">hold": lambda row: percent(row[2].hold, 2),
            ">drop": lambda row: _told(row[2].drop_cents, money),
            ">hold of drop": lambda row: percent(row[2].hold_of_drop, 2),
        },
    )


def _told(value: int | None, write: Callable[[int], str]) -> str:
    return "" if value is None else write(value)


def difference_table(report: ReturnReport, most: int | None = None) -> TextTable:
    """Return the rows that differ from the rules, `most` at most."""
    return TextTable.of(
        "Rows that differ from the rules",
        kept_differences(report)[:most],
        {
            ">row": lambda each: f"{each.row:,}",
            "table": lambda each: each.table,
            "round": lambda each: each.round,
            "area": lambda each: each.area,
            ">stake": lambda each: money(each.stake_cents),
            "difference": str,
        },
    )


def report_tables(report: ReturnReport, most_differences: int) -> list[TextTable]:
    """Return the tables of the text: differing rows first, meters last."""
    tables = [difference_table(report, most_differences)] if report.differs else []
    whole = report.all_rounds
    tables += [return_table(whole), money_table(whole), hit_table(whole)]
    for section in report.sections:
        tables += [return_table(section), hit_table(section)]
    return [*tables, meter_table(report)]


def kept_differences(report: ReturnReport) -> list[RowDifference]:
    return [] if report.differences is None else report.differences.kept


def _check_note(report: ReturnReport) -> str:
    """Return a sentence on the check of the rows, or on the command for it."""
    differences = report.differences
    if differences is None:
        return "Payments are taken as recorded: croupier audit settles them again."
    rows = counted(differences.rows, "row")
    if not differences.count:
        return f"Settled again, {rows} agree with the rules."
    more = differences.count - len(differences.kept)
    listed = f", of which {more:,} are not listed" if more else ""
    differ = "differs" if differences.count == 1 else "differ"
    said = f"Of {rows}, {differences.count:,} {differ} from the rules{listed}"
    return said + ("." if differences.has_limits else "; no --limits were given.")


def head(report: ReturnReport) -> str:
    games = ", ".join(game.document for game in report.games)
    first, last = report.span.first, report.span.last
    from_day = f", from {first}" if first else ""
    to_day = f", to {last}" if last else ""
    return f"{games}: {report.source}{from_day}{to_day}"


def drop_note(report: ReturnReport) -> str:
    if report.meters.whole.drop_cents is None:
        return "The source has no buy-ins: the drop is not known."
    return "The drop is the sum of buy-ins, vouchers and colour chips at the tables."


def day_note(report: ReturnReport) -> str:
    """Return a sentence on the source of the gaming days."""
    if not report.knows_days:
        return "The source has no days."
    if report.writes_days:
        return "Gaming days are as the source writes them."
    if report.days.is_told:
        return f"Gaming days are those of {report.days.clock}."
    return (
        f"No house says when a gaming day begins: days are those of"
        f" {report.days.clock}; --time-zone and --day-start say otherwise."
    )


def verdict(report: ReturnReport) -> list[str]:
    """Name the groups that lie outside, in sentences."""
    said = [_check_note(report), _whole_sentence(report.whole)]
    for section in report.sections:
        groups = counted(len(section.groups), "group")
        said.append(f"{title_of(section.grouping)}: {groups}, {_outside(section)}.")
    return said


def _outside(section: ReportSection) -> str:
    """Name the groups outside, and those still outside after correction."""
    widest = section.groups[0].win.bounds[-1]
    outside = [judged for judged in section.groups if judged.win.is_outside]
    if not outside:
        return f"none outside {widest.level} %"
    told = f"outside {widest.level} %: {_named(outside)}"
    still = [each for each in section.groups if each.win_holm.high <= widest.left]
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
    actual, theory = (
        percent(each, 2) for each in (group.actual_return, group.theoretical_return)
    )
    return (
        f"All together: a return of {actual}, against {theory} in theory:"
        f" {returned_says(judged)}."
    )
