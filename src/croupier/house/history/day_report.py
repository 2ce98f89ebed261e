"""The report of a gaming day: play by the meters, money by the events of the day.

It also has the change of every account by the ledger's entries: the change of `house`
is the House's hold, the change of `cash` is the cash in hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import msgspec

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotThere
from croupier.house.records.vouchers_and_days import day_id
from croupier.journal.events.plan import HouseSettings, day_after
from croupier.journal.events.table import GamingDayClosed
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.rules.notation import shown
from croupier.table.answers import event_of
from croupier.table.state import Meters

_MONEY = tuple(kind.__name__ for kind in money.MONEY_EVENTS)
_GROUPED = {"seat": "seats", "claim": "claims", "colour": "colours", "owed": "owed"}
"""Accounts by Player, seat or colour, and the name of their sum."""


@dataclass(frozen=True, slots=True)
class TypeOfDay:
    """The sums of one wager type: stakes, wins of Players, hold of the House."""

    wager_type: str
    staked_cents: int
    won_cents: int
    hold_cents: int


@dataclass(frozen=True, slots=True)
class FloatCount:
    count: str
    cents: int
    booked_cents: int
    by: str
    at_ms: int


@dataclass(frozen=True, slots=True)
class Adjustment:
    seat: str
    cents: int
    reason: str
    initiator: str
    authoriser: str
    at_ms: int


@dataclass(slots=True)
class TableOfDay:
    """A table on a gaming day, in cents."""

    table: str
    rounds: int = 0
    voids: int = 0
    staked_cents: int = 0
    won_cents: int = 0
    hold_cents: int = 0
    drop_cents: int = 0
    """Cash and vouchers that became credit, and colour chips bought."""
    by_type: tuple[TypeOfDay, ...] = ()
    bought_in_cents: int = 0
    """Cash that became credit."""
    cashed_out_cents: int = 0
    vouchers_issued_cents: int = 0
    vouchers_redeemed_cents: int = 0
    vouchers_paid_cents: int = 0
    """Paid in cash to their bearers."""
    colour_sold_cents: int = 0
    colour_bought_back_cents: int = 0
    filled_cents: int = 0
    credits_cents: int = 0
    """Chips that went from the float to the cage."""
    claims_made_cents: int = 0
    """Claims that corrections left."""
    claims_paid_cents: int = 0
    claims_set_off_cents: int = 0
    """Claims set off against wins and cash-outs of the same Players."""
    owed_paid_cents: int = 0
    """Kept money, paid to its Players and stays."""
    adjusted_cents: int = 0
    counts: list[FloatCount] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    accounts: dict[str, int] = field(default_factory=dict)
    """The sum of the day's entries by account; Players' accounts are summed by kind."""


@dataclass(frozen=True, slots=True)
class DayReport:
    day: str
    from_ms: int
    until_ms: int
    closed_by: str | None
    closed_at_ms: int | None
    head: str | None
    """The house head at the close."""
    vouchers_expired_cents: int
    tables: tuple[TableOfDay, ...]
    drop_cents: int
    """Of all tables."""
    hold_cents: int
    """The House's win at all tables."""
    vouchers_paid_cents: int = 0
    """Paid in cash from the cage's drawer."""


def bounds(settings: HouseSettings, day: str) -> tuple[int, int]:
    """Return begin and end of a gaming day; raise `NotThere` for an invalid date."""
    try:
        first = date.fromisoformat(day)
        return _begins(settings, first), _begins(settings, first + timedelta(days=1))
    except (ValueError, OverflowError) as error:
        raise NotThere(HouseReason.NO_SUCH_DAY(day=shown(day))) from error


def _begins(settings: HouseSettings, day: date) -> int:
    zone = ZoneInfo(settings.time_zone)
    moment = datetime.combine(day, time(settings.gaming_day_begins), zone)
    return round(moment.timestamp() * 1000)


def day_report(
    store: Store, settings: HouseSettings, day: str, tables: Mapping[str, Meters]
) -> DayReport:
    """Return the report of a day at these tables, given with their meters.

    The report of a closed day is read from its close.
    """
    bounds(settings, day)
    close = _close_of(store, day)
    if close is None:
        return _figures(store, settings, day, tables)
    closed, at_ms = close
    report = msgspec.json.decode(closed.report, type=DayReport)
    return replace(
        report,
        until_ms=min(report.until_ms, at_ms),
        closed_by=closed.by.name,
        closed_at_ms=at_ms,
        head=closed.head,
    )


def _figures(
    store: Store, settings: HouseSettings, day: str, tables: Mapping[str, Meters]
) -> DayReport:
    from_ms, until_ms = bounds(settings, day)
    before = _close_of(store, _day_before(day))
    if before is not None:
        from_ms = min(from_ms, before[1])
    after, until = _span(store, HOUSE_STREAM, settings, day)
    vouchers: Counter[type[object]] = Counter()
    kinds = [money.VoucherExpired.__name__, money.VoucherPaid.__name__]
    for row in store.events(HOUSE_STREAM, after=after, until=until, kinds=kinds):
        ended = cast(money.VoucherExpired | money.VoucherPaid, event_of(row))
        vouchers[type(ended)] += ended.cents
    of_tables = tuple(
        _table(store, settings, day, of_day(meters, name, day))
        for name, meters in tables.items()
    )
    return DayReport(
        day=day,
        from_ms=from_ms,
        until_ms=until_ms,
        closed_by=None,
        closed_at_ms=None,
        head=None,
        vouchers_expired_cents=vouchers[money.VoucherExpired],
        tables=of_tables,
        drop_cents=sum(each.drop_cents for each in of_tables),
        hold_cents=sum(each.hold_cents for each in of_tables),
        vouchers_paid_cents=vouchers[money.VoucherPaid],
    )


def _span(
    store: Store, stream: str, settings: HouseSettings, day: str
) -> tuple[int, int]:
    """Return the last event of a stream before a gaming day, and the last within it.

    The day follows the clock, but ends with its close at the latest. At a table the
    close is the record that begins the next day.
    """
    if stream == HOUSE_STREAM:
        marks = day_id(_day_before(day)), day_id(day)
    else:
        marks = day_id(day), day_id(day_after(day))
    ends = []
    for at_ms, command_id in zip(bounds(settings, day), marks, strict=True):
        last = store.sequence_before(stream, at_ms)
        answer = store.answer(stream, command_id)
        ends.append(last if answer is None else min(last, answer.first - 1))
    return ends[0], ends[1]


def _day_before(day: str) -> str:
    ordinal = date.fromisoformat(day).toordinal()
    return date.fromordinal(max(1, ordinal - 1)).isoformat()


def _close_of(store: Store, day: str) -> tuple[GamingDayClosed, int] | None:
    answer = store.answer(HOUSE_STREAM, day_id(day))
    if answer is None:
        return None
    [row] = store.few_events(HOUSE_STREAM, answer.first, answer.first)
    return cast(GamingDayClosed, event_of(row)), row.at_ms


def of_day(meters: Meters, table: str, day: str | None) -> TableOfDay:
    """Return the play by the meters, on a day or (None) since the table began."""
    sums: Counter[str] = Counter()
    for key, amount in meters.items():
        its_day, _, meter = key.partition("/")
        if day in {None, its_day}:
            sums[meter] += amount
    types = sorted({meter.partition("/")[2] for meter in sums} - {""})
    return TableOfDay(
        table=table,
        rounds=sums["rounds"],
        voids=sums["voids"],
        staked_cents=sums["staked"],
        won_cents=sums["won"],
        hold_cents=sums["hold"],
        drop_cents=sums["bought_in"] + sums["colour_sold"],
        by_type=tuple(
            TypeOfDay(t, sums[f"staked/{t}"], sums[f"won/{t}"], sums[f"hold/{t}"])
            for t in types
        ),
    )


def _table(
    store: Store, settings: HouseSettings, day: str, report: TableOfDay
) -> TableOfDay:
    """Return a table's report with the money of the day added."""
    after, until = _span(store, report.table, settings, day)
    for row in store.events(report.table, after=after, until=until, kinds=_MONEY):
        _note(report, row)
    changes: Counter[str] = Counter()
    sums = store.entry_sums(report.table, after=after, until=until)
    for account, moved in sums.items():
        kind = account.partition(":")[0]
        changes[_GROUPED.get(kind, account)] += sum(moved)
        if kind == "claim":
            report.claims_made_cents -= moved.taken_cents
            report.claims_set_off_cents += moved.added_cents
    report.claims_set_off_cents -= report.claims_paid_cents
    credit = report.bought_in_cents + report.vouchers_redeemed_cents
    report.drop_cents = credit + report.colour_sold_cents
    report.accounts = dict(sorted(changes.items()))
    return report


_SUMS: Mapping[type[money.MoneyEvent], str] = {
    money.BoughtIn: "bought_in_cents",
    money.CashedOut: "cashed_out_cents",
    money.VoucherIssued: "vouchers_issued_cents",
    money.VoucherRedeemed: "vouchers_redeemed_cents",
    money.VoucherPaid: "vouchers_paid_cents",
    money.ColourChipsBought: "colour_sold_cents",
    money.ColourChipsBoughtBack: "colour_bought_back_cents",
    money.Filled: "filled_cents",
    money.CreditTaken: "credits_cents",
    money.ClaimPaid: "claims_paid_cents",
    money.OwedPaid: "owed_paid_cents",
    money.Adjusted: "adjusted_cents",
}


def _note(report: TableOfDay, row: EventRow) -> None:
    event = cast(money.MoneyEvent, event_of(row))
    name = _SUMS.get(type(event))
    if name is not None:
        cents = getattr(event, "cents", 0)
        setattr(report, name, getattr(report, name) + cents)
    match event:
        case money.FloatCounted(count=count, cents=cents, booked_cents=booked, by=by):
            report.counts.append(
                FloatCount(count.value, cents, booked, by.name, row.at_ms)
            )
        case money.Adjusted(initiator=initiator, authoriser=authoriser):
            people = initiator.name, authoriser.name
            adjusted = Adjustment(
                event.seat, event.cents, event.reason, *people, row.at_ms
            )
            report.adjustments.append(adjusted)
