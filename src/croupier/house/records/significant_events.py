"""The log of significant events: from the house's own stream and from its tables'.

Nothing is kept beside the journal: the log is read from it, a page at a time, in the
order of time. Secrets are not in it, nor are their digests.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, unique
from typing import Any, cast

import msgspec

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotThere
from croupier.house.records.house_state import DeviceKind
from croupier.house.records.past_rounds import sequence_before
from croupier.house.records.voucher_codes import without_codes
from croupier.journal.events import house as fl
from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.events.plan import (
    HouseSettings,
    StaffPlan,
    TablePlan,
    ThresholdAct,
    Thresholds,
)
from croupier.journal.events.two_person_acts import ProposedAct
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.ledger.accounts import Entry
from croupier.protocol.answers import StatedReason, stated
from croupier.rules import events as ev
from croupier.rules.cents import write_cents
from croupier.rules.clause import Clause
from croupier.rules.notation import NotationError, shown
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table.answers import event_of
from croupier.table.reasons import TableReason

_MOST_SCANNED = 200_000
_READ_BACK = 500
"""Rows of a stream that are read at once, from its end on."""


@unique
class SignificantKind(Enum):
    """The subject of an event of the log."""

    LOG_ON = "log_on"
    AUTHORITY = "authority"
    CLOCK = "clock"
    SERVER = "server"
    DEVICE = "device"
    STAFF = "staff"
    DEALER = "dealer"
    PLAYER = "player"
    PROPOSAL = "proposal"
    HOUSE = "house"
    TABLE = "table"
    VOID = "void"
    HOLD = "hold"
    CORRECTION = "correction"
    INTERRUPTION = "interruption"
    LIGHTS = "lights"
    NOTICE = "notice"
    MONEY = "money"


_KINDS: Mapping[SignificantKind, tuple[type[JournalEvent], ...]] = {
    SignificantKind.LOG_ON: (
        fl.LoggedOn,
        fl.LoggedOff,
        fl.LogOnFailed,
        fl.SecondFactorFailed,
        fl.LockedOut,
        fl.Unlocked,
    ),
    SignificantKind.AUTHORITY: (fl.AuthorityRefused, hap.ActRefused),
    SignificantKind.CLOCK: (fl.ClockChanged,),
    SignificantKind.SERVER: (
        fl.ServerStarted,
        fl.ServerStopped,
        fl.TableTaken,
        fl.TableMoveAsked,
        fl.NodeDrained,
        fl.NodeGivenBack,
        fl.JournalDoubted,
        fl.JournalTrusted,
        fl.SigningKeySet,
        fl.SigningKeyRevoked,
        fl.HouseRestored,
        fl.HouseRetired,
        fl.EventsMissing,
    ),
    SignificantKind.DEVICE: (
        fl.DeviceInvited,
        fl.DeviceEnrolled,
        fl.DeviceRevoked,
        fl.DeviceLost,
        fl.DeviceBack,
    ),
    SignificantKind.STAFF: (
        fl.StaffDefined,
        fl.StaffRemoved,
        fl.PasswordSet,
        fl.AccountSet,
        fl.AccountVouched,
        fl.SecondFactorSet,
        fl.SecondFactorReset,
        fl.ActingAssigned,
        fl.ActingEnded,
    ),
    SignificantKind.DEALER: (fl.DealerCame, fl.DealerWent),
    SignificantKind.PLAYER: (fl.PlayerDefined, fl.PlayerLimited, fl.PlayerExcluded),
    SignificantKind.PROPOSAL: (fl.Proposed, fl.ProposalConfirmed, fl.ProposalEnded),
    SignificantKind.HOUSE: (
        fl.HouseDefined,
        fl.TableDefined,
        fl.TableRetired,
        hap.GamingDayClosed,
    ),
    SignificantKind.TABLE: (hap.TableOpened, hap.TableClosed, hap.TermsChanged),
    SignificantKind.VOID: (ev.RoundVoided, ev.IrregularityReported, ev.NoSpinAnnounced),
    SignificantKind.HOLD: (
        ev.WheelDisputed,
        ev.ReportAnswered,
        ev.RoundHeld,
        ev.OutcomeDecided,
        ev.PlayContinued,
        hap.InterpretationRecorded,
    ),
    SignificantKind.CORRECTION: (ev.OutcomeCorrected, ev.BallRestated, ev.WagerRuled),
    SignificantKind.INTERRUPTION: (
        hap.TableInterrupted,
        hap.BallStated,
        hap.BallConfirmed,
        ev.PowerFailed,
        ev.RoundInterrupted,
        ev.TerminalsInterrupted,
    ),
    SignificantKind.LIGHTS: (ev.BonusNumberUnlit,),
    SignificantKind.NOTICE: (hap.NoticeAnswered,),
    SignificantKind.MONEY: (
        money.Adjusted,
        money.FloatCounted,
        money.VoucherReportedLost,
        hap.SumConfirmed,
    ),
}
_KIND_OF = {each.__name__: kind for kind, many in _KINDS.items() for each in many}
_ALARMS = frozenset(
    each.__name__
    for each in (
        fl.LogOnFailed,
        fl.SecondFactorFailed,
        fl.LockedOut,
        fl.AccountSet,
        fl.AuthorityRefused,
        fl.ClockChanged,
        fl.JournalDoubted,
        fl.SigningKeyRevoked,
        fl.HouseRestored,
        fl.HouseRetired,
        fl.EventsMissing,
        ev.RoundVoided,
        ev.RoundHeld,
        ev.OutcomeCorrected,
        ev.BonusNumberUnlit,
        hap.TableInterrupted,
        ev.WheelDisputed,
        hap.SumConfirmed,
    )
)
"""Those that somebody should see, and acknowledge."""


_ALARMING = frozenset(
    each.code
    for each in (TableReason.SECOND_PERSON_NEEDED, TableReason.PERSON_SUM_REACHED)
)
"""Refusals of staff that are alarms: one person has come to a threshold."""


@dataclass(frozen=True, slots=True, order=True)
class LogPosition:
    """A place in the log: a moment, and an event at it."""

    at_ms: int
    stream: str = ""
    sequence: int = 0

    def __str__(self) -> str:
        return f"{self.at_ms}-{self.sequence}-{self.stream}"

    @classmethod
    def read(cls, text: str) -> LogPosition:
        """Read a position; raise `NotationError` where it is none."""
        at_ms, _, rest = text.partition("-")
        sequence, dash, stream = rest.partition("-")
        if not dash or not _is_number(at_ms) or not _is_number(sequence):
            raise NotationError(HouseReason.NO_PLACE_IN_LOG(text=shown(text)))
        return cls(int(at_ms), stream, int(sequence))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 16


LogField = str | bool | StatedReason | tuple[hap.RefusedAct, ...]


@dataclass(frozen=True, slots=True)
class SignificantEvent:
    """One event of the log."""

    at_ms: int
    table: str | None
    """None: of the house itself."""
    round: int | None
    sequence: int
    kind: SignificantKind
    event: str
    text: str
    """Its name and what is known of it, as an English sentence."""
    fields: dict[str, LogField]
    """Its details by name; a reason as data too. Sums are in cents."""
    by: str | None
    is_alarm: bool
    acknowledged_by: str | None
    acknowledged_at_ms: int | None


@dataclass(frozen=True, slots=True)
class LogPage:
    events: tuple[SignificantEvent, ...]
    after: str
    """Where the next page begins, in the order that was asked for."""
    has_more: bool


def read_log(
    store: Store,
    streams: Iterable[str],
    start: LogPosition,
    *,
    kind: SignificantKind | None,
    count: int,
    of_players: bool = False,
) -> LogPage:
    """Read a page of the log, from a position on, in the order of time.

    With `of_players` it has the acts too that Players were refused.
    """
    acknowledged = _acknowledged(store, start)
    merged = heapq.merge(
        *(_rows(store, stream, start) for stream in streams), key=position_of
    )
    found: list[SignificantEvent] = []
    last = start
    for scanned, row in enumerate(merged, start=1):
        last = position_of(row)
        if _is_significant(row, kind, of_players=of_players):
            found.append(_shown(row, acknowledged))
        if len(found) == count or scanned == _MOST_SCANNED:
            return LogPage(tuple(found), str(last), has_more=True)
    return LogPage(tuple(found), str(last), has_more=False)


def read_latest(
    store: Store,
    streams: Iterable[str],
    start: LogPosition,
    before: LogPosition | None,
    *,
    kind: SignificantKind | None,
    count: int,
) -> LogPage:
    """Read a page of the log back from a place, the latest first, as far as `start`."""
    merged = heapq.merge(
        *(_rows_back(store, stream, start, before) for stream in streams),
        key=position_of,
        reverse=True,
    )
    found: list[EventRow] = []
    last, has_more = before or start, False
    for scanned, row in enumerate(merged, start=1):
        last = position_of(row)
        if _is_significant(row, kind):
            found.append(row)
        if len(found) == count or scanned == _MOST_SCANNED:
            has_more = True
            break
    acknowledged = _acknowledged(store, LogPosition(last.at_ms))
    events = tuple(_shown(row, acknowledged) for row in found)
    return LogPage(events, str(last), has_more=has_more)


def position_of(row: EventRow) -> LogPosition:
    return LogPosition(row.at_ms, row.stream, row.sequence)


def _rows(store: Store, stream: str, start: LogPosition) -> Iterator[EventRow]:
    after = sequence_before(store, stream, start.at_ms)
    for row in store.events(stream, after=after):
        if position_of(row) > start:
            yield row


def _rows_back(
    store: Store, stream: str, start: LogPosition, before: LogPosition | None
) -> Iterator[EventRow]:
    """Yield the rows between two places, the latest first, some read at a time."""
    head = store.head(stream)
    last = 0 if head is None else head.sequence
    if before is not None:
        last = min(last, sequence_before(store, stream, before.at_ms + 1))
    while last > 0:
        for row in reversed(store.few_events(stream, last - _READ_BACK + 1, last)):
            if position_of(row) <= start:
                return
            if before is None or position_of(row) < before:
                yield row
        last -= _READ_BACK


_Acknowledged = Mapping[tuple[str, int], tuple[str, int]]


def _acknowledged(store: Store, start: LogPosition) -> _Acknowledged:
    found: dict[tuple[str, int], tuple[str, int]] = {}
    after = sequence_before(store, HOUSE_STREAM, start.at_ms)
    for row in store.events(HOUSE_STREAM, after=after):
        if row.kind == fl.AlarmAcknowledged.__name__:
            event = event_of(row)
            assert isinstance(event, fl.AlarmAcknowledged)
            found.setdefault((event.stream, event.sequence), (event.by, row.at_ms))
    return found


def _is_significant(
    row: EventRow, kind: SignificantKind | None, *, of_players: bool = False
) -> bool:
    its_kind = _KIND_OF.get(row.kind)
    if its_kind is None or kind not in {None, its_kind}:
        return False
    if (
        row.kind == hap.ActRefused.__name__ and not of_players
    ):  # a Player's late wager is none
        event = event_of(row)
        return isinstance(event, hap.ActRefused) and event.by.role is not Role.PLAYER
    return True


def _shown(row: EventRow, acknowledged: _Acknowledged) -> SignificantEvent:
    event = without_codes(event_of(row))
    is_house = row.stream == HOUSE_STREAM
    by, at_ms = acknowledged.get((row.stream, row.sequence), (None, None))
    return SignificantEvent(
        at_ms=row.at_ms,
        table=_table(event) if is_house else row.stream,
        round=row.round_number or None,
        sequence=row.sequence,
        kind=_KIND_OF[row.kind],
        event=row.kind,
        text=_sentence(event),
        fields={name: _field(event, fact) for name, fact in _facts(event)},
        by=_who(event),
        is_alarm=_is_alarm(event),
        acknowledged_by=by,
        acknowledged_at_ms=at_ms,
    )


def _field(event: JournalEvent, fact: Any) -> LogField:
    """Return a fact as data where a page can name it, or else in words."""
    match fact:
        case Reason():
            return stated(fact, _clause_of(event))
        case bool() | (hap.RefusedAct(), *_):
            return cast(LogField, fact)
    return _word(fact)


def _is_alarm(event: JournalEvent) -> bool:
    """Return whether a person should see it: a closed tab, for example, not."""
    match event:
        case fl.DeviceInvited(kind=kind) | fl.DeviceRevoked(kind=kind):
            return kind == DeviceKind.SENSOR.value
        case fl.DeviceLost(needed=needed):
            return needed
        case money.FloatCounted(cents=counted, booked_cents=booked):
            return counted != booked
        case hap.ActRefused(reason=reason):
            return reason.code in _ALARMING
    return type(event).__name__ in _ALARMS


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
    """Write the event's name in words, and what is known of it."""
    kind = type(event).__name__
    words = "".join(f" {c.lower()}" if c.isupper() else c for c in kind).strip()
    known = ", ".join(
        f"{_named(name)} {_told(name, fact)}" for name, fact in _facts(event)
    )
    return f"{words}: {known}" if known else words


def _named(name: str) -> str:
    return name.removesuffix("_cents").replace("cents", "sum").replace("_", " ")


def _told(name: str, fact: Any) -> str:
    """Write a fact as a reader of the log wants it: sums in units, no “True”."""
    if isinstance(fact, bool):
        return "yes" if fact else "no"
    if isinstance(fact, int) and name.endswith("cents"):
        return write_cents(fact)
    return _word(fact)


def _clause_of(event: JournalEvent) -> str | None:
    clause = getattr(event, "clause", None)
    return clause.number if isinstance(clause, Clause) else None


def _facts(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the fields that say something, those of a plan among them."""
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
        case Person():
            return str(value)
        case Clause():
            return value.number
        case Entry(account, cents):
            return f"{account} {'+' if cents > 0 else ''}{write_cents(cents)}"
        case (hap.RefusedAct(), *_):
            return ", ".join(map(str, value))
        case tuple():
            return " ".join(map(_word, value))
        case str() | int() | Reason():
            return str(value)
    if isinstance(value, ProposedAct):
        return str(value)
    return str(msgspec.to_builtins(value))


def acknowledge(
    record: HouseRecord, by: Caller, stream: str | None, sequence: int
) -> None:
    """Somebody has seen an alarm; raises `NotThere` where there is none."""
    by.must(HouseAct.WATCH)
    name = stream or HOUSE_STREAM
    rows = record.store.few_events(name, sequence, sequence)
    if not rows or not _is_alarm(event_of(rows[0])):
        raise NotThere(HouseReason.NOTHING_TO_ACKNOWLEDGE(sequence=sequence))
    record.write(fl.AlarmAcknowledged(by.name, name, sequence))
