"""The report of a gaming day: play by the meters, money by the events of the day.

The changes of every account stand beside them, from the ledger's own entries: what the
House held is the change of `house`, and cash in hand the change of `cash`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

import msgspec

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotThere
from croupier.house.records.past_rounds import sequence_before
from croupier.journal.events import table as hap
from croupier.journal.events.plan import HouseSettings, day_after
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.ledger.accounts import Entry
from croupier.rules.notation import shown
from croupier.rules.operator import Person
from croupier.table.answers import event_of
from croupier.table.house import begin_id, close_id
from croupier.table.state import Meters

_MONEY = frozenset(kind.__name__ for kind in money.MONEY_EVENTS)
_GROUPED = {"seat": "seats", "claim": "claims", "colour": "colours", "owed": "owed"}
"""Accounts of which there is one for each Player, seat or colour."""


@dataclass(frozen=True, slots=True)
class TypeOfDay:
    """One wager type: what was staked, won by Players, and held by the House."""

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
    """Money that Players put in at the table: cash and vouchers that became credit, and
    colour chips bought."""
    by_type: tuple[TypeOfDay, ...] = ()
    bought_in_cents: int = 0
    """Cash that became credit."""
    cashed_out_cents: int = 0
    vouchers_issued_cents: int = 0
    vouchers_redeemed_cents: int = 0
    vouchers_paid_cents: int = 0
    """In cash, to whoever brought them."""
    colour_sold_cents: int = 0
    colour_bought_back_cents: int = 0
    filled_cents: int = 0
    credits_cents: int = 0
    """Chips that went from the float to the cage."""
    claims_made_cents: int = 0
    """Claims that corrections left."""
    claims_paid_cents: int = 0
    claims_set_off_cents: int = 0
    """Claims set off against what the same Players won or cashed out."""
    owed_paid_cents: int = 0
    """Paid to Players and stays for whom it had been kept."""
    adjusted_cents: int = 0
    counts: list[FloatCount] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    accounts: dict[str, int] = field(default_factory=dict)
    """The sum of the day's entries by account; Players' by their kind."""


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


def bounds(settings: HouseSettings, day: str) -> tuple[int, int]:
    """Return when the gaming day begins and ends; raise `NotThere` for no day."""
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
    """Report the day at these tables, each with its meters; only read.

    That of a closed day is as it was when it was closed.
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
    house = _DayEvents(store, HOUSE_STREAM, settings, day)
    of_tables = tuple(
        _table(_DayEvents(store, name, settings, day), of_day(meters, name, day))
        for name, meters in tables.items()
    )
    return DayReport(
        day=day,
        from_ms=from_ms,
        until_ms=until_ms,
        closed_by=None,
        closed_at_ms=None,
        head=None,
        vouchers_expired_cents=sum(
            cast(money.VoucherExpired, event_of(row)).cents
            for row in house.money_rows()
            if row.kind == money.VoucherExpired.__name__
        ),
        tables=of_tables,
        drop_cents=sum(each.drop_cents for each in of_tables),
        hold_cents=sum(each.hold_cents for each in of_tables),
    )


class _DayEvents:
    """The events of a stream on a gaming day: by the clock, but never after its close.

    A table records that the next day begins, the house the close itself.
    """

    def __init__(
        self, store: Store, stream: str, settings: HouseSettings, day: str
    ) -> None:
        self._store, self._stream = store, stream
        from_ms, until_ms = bounds(settings, day)
        if stream == HOUSE_STREAM:
            first, last = close_id(_day_before(day)), close_id(day)
        else:
            first, last = begin_id(day), begin_id(day_after(day))
        self._after = self._last_before(from_ms, first)
        self._until = self._last_before(until_ms, last)

    def _last_before(self, at_ms: int, command_id: str) -> int:
        """Return the last event before a moment, and before a command if it was."""
        last = sequence_before(self._store, self._stream, at_ms)
        answer = self._store.answer(self._stream, command_id)
        return last if answer is None else min(last, answer.first - 1)

    def money_rows(self) -> Iterator[EventRow]:
        for row in self._store.events(self._stream, after=self._after):
            if row.sequence > self._until:
                return
            if row.kind in _MONEY:
                yield row

    def entries(self) -> Iterator[Entry]:
        for sequence, _, entry in self._store.entries(self._stream, after=self._after):
            if sequence > self._until:
                return
            yield entry


def _day_before(day: str) -> str:
    ordinal = date.fromisoformat(day).toordinal()
    return date.fromordinal(max(1, ordinal - 1)).isoformat()


def _close_of(store: Store, day: str) -> tuple[hap.GamingDayClosed, int] | None:
    """Return how a day was closed, and when, if it was."""
    answer = store.answer(HOUSE_STREAM, close_id(day))
    if answer is None:
        return None
    [row] = store.few_events(HOUSE_STREAM, answer.first, answer.first)
    return cast(hap.GamingDayClosed, event_of(row)), row.at_ms


def of_day(meters: Meters, table: str, day: str | None) -> TableOfDay:
    """Play by the meters, on a day or since the table began."""
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


def _table(events: _DayEvents, report: TableOfDay) -> TableOfDay:
    for row in events.money_rows():
        _note(report, row)
    changes: Counter[str] = Counter()
    for account, cents in events.entries():
        kind = account.partition(":")[0]
        changes[_GROUPED.get(kind, account)] += cents
        if kind == "claim" and cents < 0:
            report.claims_made_cents -= cents
        elif kind == "claim":
            report.claims_set_off_cents += cents
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
    if isinstance(event, money.FloatCounted):
        counted = (event.count.value, event.cents, event.booked_cents, event.by.name)
        report.counts.append(FloatCount(*counted, row.at_ms))
    if isinstance(event, money.Adjusted):
        report.adjustments.append(
            Adjustment(
                event.seat,
                event.cents,
                event.reason,
                _name(event.initiator),
                _name(event.authoriser),
                row.at_ms,
            )
        )


def _name(person: Person) -> str:
    return person.name
