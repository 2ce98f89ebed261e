"""The report of a gaming day: play by the meters, money by the events of the day.

The changes of every account stand beside them, from the ledger's own entries: what the
House held is the change of `house`, and cash in hand the change of `cash`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import cast
from zoneinfo import ZoneInfo

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotThere
from croupier.house.records.past_rounds import sequence_before
from croupier.journal.events import table as hap
from croupier.journal.events.plan import HouseSettings
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.rules.notation import shown
from croupier.rules.operator import Person
from croupier.table.answers import event_of
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
    by_type: tuple[TypeOfDay, ...] = ()
    bought_in_cents: int = 0
    """Cash that became credit."""
    cashed_out_cents: int = 0
    vouchers_issued_cents: int = 0
    vouchers_redeemed_cents: int = 0
    colour_sold_cents: int = 0
    colour_bought_back_cents: int = 0
    filled_cents: int = 0
    credits_cents: int = 0
    """Chips that went from the float to the cage."""
    claims_made_cents: int = 0
    """What corrections left owing."""
    claims_paid_cents: int = 0
    claims_set_off_cents: int = 0
    """What the same Players won or cashed out, and owed."""
    owed_paid_cents: int = 0
    """Paid to Players and stays for whom it had been kept."""
    adjusted_cents: int = 0
    counts: list[FloatCount] = field(default_factory=list)
    adjustments: list[Adjustment] = field(default_factory=list)
    accounts: dict[str, int] = field(default_factory=dict)
    """What the day's entries added to each account; Players' by their kind."""


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


def bounds(settings: HouseSettings, day: str) -> tuple[int, int]:
    """When the gaming day begins and ends; raises `NotThere` where it is no day."""
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
    """Report the day at these tables, each with its meters; only read."""
    from_ms, until_ms = bounds(settings, day)
    closed, closed_at = _closed(store, day, from_ms)
    expired = sum(
        cast(money.VoucherExpired, event_of(row)).cents
        for row in _rows(store, HOUSE_STREAM, from_ms, until_ms)
        if row.kind == money.VoucherExpired.__name__
    )
    return DayReport(
        day=day,
        from_ms=from_ms,
        until_ms=until_ms,
        closed_by=closed.by.name if closed else None,
        closed_at_ms=closed_at,
        head=closed.head if closed else None,
        vouchers_expired_cents=expired,
        tables=tuple(
            _table(store, name, (from_ms, until_ms), of_day(meters, name, day))
            for name, meters in tables.items()
        ),
    )


def _rows(store: Store, stream: str, from_ms: int, until_ms: int) -> list[EventRow]:
    """Return the money events of the day."""
    found = []
    for row in store.events(stream, after=sequence_before(store, stream, from_ms)):
        if row.at_ms >= until_ms:
            break
        if row.kind in _MONEY:
            found.append(row)
    return found


def _closed(
    store: Store, day: str, from_ms: int
) -> tuple[hap.GamingDayClosed | None, int | None]:
    after = sequence_before(store, HOUSE_STREAM, from_ms)
    for row in store.events(HOUSE_STREAM, after=after):
        if row.kind == hap.GamingDayClosed.__name__:
            closed = cast(hap.GamingDayClosed, event_of(row))
            if closed.gaming_day == day:
                return closed, row.at_ms
    return None, None


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
        by_type=tuple(
            TypeOfDay(t, sums[f"staked/{t}"], sums[f"won/{t}"], sums[f"hold/{t}"])
            for t in types
        ),
    )


def _table(
    store: Store, name: str, between: tuple[int, int], report: TableOfDay
) -> TableOfDay:
    from_ms, until_ms = between
    for row in _rows(store, name, from_ms, until_ms):
        _note(report, row)
    first = sequence_before(store, name, from_ms)
    last = sequence_before(store, name, until_ms)
    changes: Counter[str] = Counter()
    for sequence, _, (account, cents) in store.entries(name, after=first):
        if sequence > last:
            break
        kind = account.partition(":")[0]
        changes[_GROUPED.get(kind, account)] += cents
        if kind == "claim" and cents < 0:
            report.claims_made_cents -= cents
        elif kind == "claim":
            report.claims_set_off_cents += cents
    report.claims_set_off_cents -= report.claims_paid_cents
    report.accounts = dict(sorted(changes.items()))
    return report


_SUMS: Mapping[type[money.MoneyEvent], str] = {
    money.BoughtIn: "bought_in_cents",
    money.CashedOut: "cashed_out_cents",
    money.VoucherIssued: "vouchers_issued_cents",
    money.VoucherRedeemed: "vouchers_redeemed_cents",
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
