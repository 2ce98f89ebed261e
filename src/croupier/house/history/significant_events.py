"""The log of significant events of the house and its tables, in order of time.

It contains neither secrets nor their digests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from croupier.house.history.event_actions import ACTION_OF, SignificantKind
from croupier.house.history.event_details import clause_of, without_codes
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotThere
from croupier.journal.events import house
from croupier.journal.events import table as table_events
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import (
    HouseSettings,
    StaffPlan,
    TablePlan,
    ThresholdAct,
    Thresholds,
)
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import EventRow, Moment
from croupier.ledger.accounts import Entry
from croupier.protocol.answers import StatedReason, stated
from croupier.rules.cents import write_cents
from croupier.rules.clause import Clause
from croupier.rules.commands import ByTwo
from croupier.rules.notation import NotationError, shown
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.table.answers import event_of


def write_moment(moment: Moment) -> str:
    return f"{moment.at_ms}-{moment.sequence}-{moment.stream}"


def read_moment(text: str) -> Moment:
    """Return the place in the log that a text names, or raise `NotationError`."""
    at_ms, _, rest = text.partition("-")
    sequence, dash, stream = rest.partition("-")
    if not dash or not _is_number(at_ms) or not _is_number(sequence):
        raise NotationError(HouseReason.NO_PLACE_IN_LOG(text=shown(text)))
    return Moment(int(at_ms), stream, int(sequence))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 16


LogField = str | bool | StatedReason | tuple[table_events.RefusedAct, ...]


@dataclass(frozen=True, slots=True)
class SignificantEvent:
    at_ms: int
    table: str | None
    """None for an event of the house itself."""
    round: int | None
    sequence: int
    kind: SignificantKind
    event: str
    text: str
    """Its name and details as an English sentence."""
    fields: dict[str, LogField]
    """Its details by name. Sums are in cents; a reason is data."""
    by: str | None
    is_alarm: bool
    acknowledged_by: str | None
    acknowledged_at_ms: int | None


@dataclass(frozen=True, slots=True)
class LogPage:
    events: tuple[SignificantEvent, ...]
    after: str
    """The place at which the next page begins, in the same order."""
    has_more: bool


def read_log(
    store: Store,
    after: Moment,
    before: Moment | None = None,
    *,
    kind: SignificantKind | None = None,
    table: str | None = None,
    count: int,
    newest: bool = False,
    of_players: bool = False,
) -> LogPage:
    """Return a page of the log after a place, oldest first or (`newest`) latest first.

    With `newest`, the page can begin before another place. `table` is a stream, also
    the house's. `of_players` adds the refused acts of Players.
    """
    kinds = [name for name, each in ACTION_OF.items() if kind in {None, each.kind}]
    rows = store.events_by_time(
        kinds,
        (before or _END) if newest else after,
        count=count + 1,
        stream=table,
        newest=newest,
        of_players=of_players,
    )
    found = [row for row in rows if not newest or _moment_of(row) > after]
    page = found[:count]
    place = _moment_of(page[-1]) if page else before or after
    acknowledged = _acknowledged(store, page)
    events = tuple(_shown(row, acknowledged) for row in page)
    return LogPage(events, write_moment(place), has_more=len(found) > count)


_END = Moment(2**63 - 1)


def _moment_of(row: EventRow) -> Moment:
    return Moment(row.at_ms, row.stream, row.sequence)


_Acknowledged = Mapping[tuple[str, int], tuple[str, int]]


def _acknowledged(store: Store, page: list[EventRow]) -> _Acknowledged:
    """Return person and time of each alarm's first acknowledgement, by its place."""
    found: dict[tuple[str, int], tuple[str, int]] = {}
    since_ms = min((row.at_ms for row in page), default=_END.at_ms)
    after = store.sequence_before(HOUSE_STREAM, since_ms)
    kinds = [house.AlarmAcknowledged.__name__]
    for row in store.events(HOUSE_STREAM, after=after, kinds=kinds):
        event = cast(house.AlarmAcknowledged, event_of(row))
        found.setdefault((event.stream, event.sequence), (event.by, row.at_ms))
    return found


def _shown(row: EventRow, acknowledged: _Acknowledged) -> SignificantEvent:
    event = without_codes(event_of(row))
    by, at_ms = acknowledged.get((row.stream, row.sequence), (None, None))
    return SignificantEvent(
        at_ms=row.at_ms,
        table=_table(event) if row.stream == HOUSE_STREAM else row.stream,
        round=row.round_number or None,
        sequence=row.sequence,
        kind=ACTION_OF[row.kind].kind,
        event=row.kind,
        text=_sentence(event),
        fields={name: _field(event, fact) for name, fact in _facts(event)},
        by=_who(event),
        is_alarm=_is_alarm(event),
        acknowledged_by=by,
        acknowledged_at_ms=at_ms,
    )


def _field(event: JournalEvent, fact: Any) -> LogField:
    """Return a fact as data if pages can translate it, otherwise in words."""
    match fact:
        case Reason():
            return stated(fact, clause_of(event))
        case bool() | (table_events.RefusedAct(), *_):
            return cast(LogField, fact)
    return _word(fact)


def _is_alarm(event: JournalEvent) -> bool:
    action = ACTION_OF.get(type(event).__name__)
    return action is not None and action.is_alarm(event)


def _table(event: JournalEvent) -> str | None:
    table = getattr(event, "table", None)
    return table.name if isinstance(table, TablePlan) else table


def _who(event: JournalEvent) -> str | None:
    for name in ("by", "initiator", "name"):
        who = getattr(event, name, None)
        if who is not None:
            return _word(who)
    return None


_UNSAID = frozenset({"by", "digest", "initiator", "report"})


def _sentence(event: JournalEvent) -> str:
    """Return the event's name and details as a sentence."""
    kind = type(event).__name__
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in kind).strip()
    known = ", ".join(
        f"{_named(name)} {_told(name, fact)}" for name, fact in _facts(event)
    )
    return f"{words}: {known}" if known else words


def _named(name: str) -> str:
    return name.removesuffix("_cents").replace("cents", "sum").replace("_", " ")


def _told(name: str, fact: Any) -> str:
    """Write a fact for readers: sums in units, "yes" for True."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, int) and name.endswith("cents"):
        return write_cents(fact)
    return _word(fact)


def _facts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields that are not empty, including those of a plan."""
    for name in type(value).__match_args__:
        fact = getattr(value, name)
        if name == "changes" and fact:
            yield name, "; ".join(fact)
        elif getattr(value, "changes", ()) and name != "by":
            continue  # the rest of a plan stays as it was
        elif isinstance(fact, Thresholds):
            yield from ((name, words) for words in (_sums(fact),) if words)
        elif isinstance(fact, HouseSettings | TablePlan | StaffPlan):
            yield from _facts(fact)
        elif name not in _UNSAID and fact is not None and fact not in ("", ()):
            yield name, fact


def _sums(thresholds: Thresholds) -> str:
    sums = ((act.value, thresholds.of(act)) for act in ThresholdAct)
    return ", ".join(
        f"{name.replace('_', ' ')} {write_cents(cents)}"
        for name, cents in sums
        if cents is not None
    )


def _word(value: Any) -> str:
    match value:
        case Clause():
            return value.number
        case Entry(account, cents):
            return f"{account} {'+' if cents > 0 else ''}{write_cents(cents)}"
        case (table_events.RefusedAct(), *_):
            return ", ".join(map(str, value))
        case tuple():
            return " ".join(map(_word, value))
        case Person() | ByTwo() | str() | int() | Reason():
            return str(value)
    return str(msgspec.to_builtins(value))


def acknowledge(
    record: HouseRecord, by: Caller, stream: str | None, sequence: int
) -> None:
    """Record that a person has seen an alarm; raise `NotThere` if there is none."""
    by.must(HouseAct.WATCH)
    name = stream or HOUSE_STREAM
    rows = record.store.few_events(name, sequence, sequence)
    if not rows or not _is_alarm(event_of(rows[0])):
        raise NotThere(HouseReason.NOTHING_TO_ACKNOWLEDGE(sequence=sequence))
    record.write(house.AlarmAcknowledged(by.name, name, sequence))
