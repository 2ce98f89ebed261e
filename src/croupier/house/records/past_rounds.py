"""Past rounds from the journal: summaries, disputed wagers, the last rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import msgspec
from msgspec import Struct

from croupier.house.connection import views
from croupier.house.records.voucher_codes import without_codes
from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.journal.store import JournalError, Store
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Account
from croupier.protocol.answers import (
    HISTORY,
    PastRound,
    SettledWagerView,
    StatedReason,
    TotalsView,
    stated,
)
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Clause, Rule
from croupier.rules.events import BonusNumbersDrawn, RoundSettled
from croupier.rules.game import Game
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.answers import event_of
from croupier.table.replay import RecalledEvent, RecalledRound

_MOST_SCANNED = 200_000
_MOST_ROUNDS = 200
_WAGER_ACTS = frozenset(
    kind.__name__
    for kind in (do.PlaceWager, do.IncreaseWager, do.WithdrawWager, ask.Together)
)


def sequence_before(store: Store, stream: str, at_ms: int) -> int:
    """Return the last sequence number before a moment, found by halving.

    Raises `JournalError` if an event of the stream is missing.
    """
    head = store.head(stream)
    low, high = 0, head.sequence if head else 0
    while low < high:
        middle = (low + high) // 2
        rows = store.few_events(stream, middle + 1, middle + 1)
        if not rows:
            raise JournalError(f"event {middle + 1} of {stream} is missing")
        if rows[0].at_ms < at_ms:
            low = middle + 1
        else:
            high = middle
    return low


def rows_between(
    store: Store, stream: str, from_ms: int, until_ms: int
) -> Iterator[EventRow]:
    """Yield the events from one moment on and before another."""
    for row in store.events(stream, after=sequence_before(store, stream, from_ms)):
        if row.at_ms >= until_ms:
            return
        yield row


@dataclass(slots=True)
class RoundSummary:
    """A round as a list of rounds shows it."""

    round: int
    status: str = "open"
    """`settled`, `void`, `referred` or `open`."""
    winning_number: str | None = None
    bonus_numbers: tuple[str, ...] = ()
    clause: str | None = None
    """Why it is void or referred."""
    is_corrected: bool = False
    began_ms: int = 0
    settled_ms: int | None = None
    wagers: int = 0
    stake_cents: int = 0
    paid_cents: int = 0
    collected_cents: int = 0


class SealedRound(Struct, frozen=True):
    """A settlement whose hash is the seal of a receipt."""

    round: int
    sequence: int
    at_ms: int
    seal: str


_MOST_SEALED = 10


def rounds_sealed(store: Store, stream: str, seal: str) -> list[SealedRound]:
    """Return the settlements whose seal begins so, the earliest first, at most ten."""
    found: list[SealedRound] = []
    for row in store.settlements(stream):
        if row.hash.startswith(seal):
            shown = SealedRound(row.round_number, row.sequence, row.at_ms, row.hash)
            found.append(shown)
            if len(found) == _MOST_SEALED:
                break
    return found


_IN_BRIEF = frozenset(
    kind.__name__
    for kind in (
        ev.BonusNumbersDrawn,
        ev.RoundHeld,
        ev.RoundVoided,
        ev.OutcomeAnnounced,
        ev.OutcomeDecided,
        ev.OutcomeCorrected,
        ev.RoundSettled,
    )
)


def round_summary(number: int, rows: Iterable[EventRow]) -> RoundSummary | None:
    """Return a round from its events, as it stands, or None without events."""
    brief: RoundSummary | None = None
    for row in rows:
        if brief is None:
            brief = RoundSummary(number, began_ms=row.at_ms)
        if row.kind in _IN_BRIEF:
            _note(brief, row)
    return brief


def _note(brief: RoundSummary, row: EventRow) -> None:
    event = event_of(row)
    match event:
        case ev.BonusNumbersDrawn(numbers=numbers):
            brief.bonus_numbers = numbers
        case ev.RoundHeld(clause=clause):
            brief.status, brief.clause = "referred", clause.number
        case ev.RoundVoided(clause=clause):
            brief.status, brief.clause = "void", clause.number
            brief.winning_number = None
        case ev.OutcomeAnnounced(number=number) | ev.OutcomeDecided(number=number):
            brief.status, brief.winning_number = "open", number
        case ev.OutcomeCorrected(corrected_to=number):
            brief.is_corrected, brief.winning_number = True, number
        case ev.RoundSettled():
            _note_settled(brief, row, event)


def _note_settled(brief: RoundSummary, row: EventRow, event: ev.RoundSettled) -> None:
    winning = event.winning_number
    brief.status = "void" if winning is None else "settled"
    brief.winning_number, brief.settled_ms = winning, row.at_ms
    pieces = [piece for wager in event.wagers for piece in wager.pieces]
    brief.wagers = len(event.wagers)
    brief.stake_cents = sum(piece.stake_cents for piece in pieces)
    brief.paid_cents = sum(piece.paid_cents for piece in pieces)
    brief.collected_cents = sum(piece.collected_cents for piece in pieces)


def rounds_before(
    store: Store, stream: str, before: int, count: int
) -> list[RoundSummary]:
    """Return rounds with lower numbers, the latest first."""
    found = []
    for number in range(before - 1, max(before - 1 - count, 0), -1):
        rows = store.events(stream, round_number=number)
        brief = round_summary(number, rows)
        if brief is not None:
            found.append(brief)
    return found


class WagerStep(Struct, frozen=True):
    """One thing that was done to a wager."""

    sequence: int
    at_ms: int
    event: str
    by: str | None
    fields: dict[str, Any]


class FoundWager(Struct):
    """A wager, what was done to it, and what became of it."""

    round: int
    id: str
    player: str
    terminal: str | None
    wager: str
    steps: list[WagerStep]
    winning_number: str | None = None
    settled: SettledWagerView | None = None


class FoundRefusal(Struct, frozen=True):
    round: int
    sequence: int
    at_ms: int
    player: str
    acts: tuple[hap.RefusedAct, ...]
    clause: str
    reason: StatedReason


class WagerSearch(Struct, frozen=True):
    table: str
    wagers: list[FoundWager]
    refusals: list[FoundRefusal]
    has_more: bool
    """The search was too wide: there may be more than is listed."""


def search_wagers(
    store: Store,
    stream: str,
    *,
    seat: str | None,
    rounds: Iterable[int],
    has_more: bool,
) -> WagerSearch:
    """Find the wagers of a seat, or of all, in some rounds, and what was refused."""
    wagers: list[FoundWager] = []
    refusals: list[FoundRefusal] = []
    for number in rounds:
        rows = list(store.events(stream, round_number=number))
        wagers += _wagers_in(number, rows, seat)
        refusals += _refusals_in(rows, seat)
    return WagerSearch(stream, wagers, refusals, has_more)


def _wagers_in(
    number: int, rows: Iterable[EventRow], seat: str | None
) -> list[FoundWager]:
    found: dict[str, FoundWager] = {}
    for row in rows:
        if row.kind == ev.RoundSettled.__name__:
            _note_results(found, cast(ev.RoundSettled, event_of(row)))
        if not row.kind.startswith("Wager"):
            continue
        event = event_of(row)
        if isinstance(event, ev.WagerPlaced) and seat in {None, event.player}:
            found[event.wager_id] = FoundWager(
                number, event.wager_id, event.player, event.terminal, event.wager, []
            )
        wager = found.get(getattr(event, "wager_id", ""))
        if wager is not None:
            by, fields = people_of(event), fields_of(event)
            wager.steps.append(WagerStep(row.sequence, row.at_ms, row.kind, by, fields))
    return list(found.values())


def _note_results(found: Mapping[str, FoundWager], event: ev.RoundSettled) -> None:
    for settled in event.wagers:
        wager = found.get(settled.wager_id)
        if wager is not None:
            [wager.settled] = views.settled_shown([settled])
            wager.winning_number = event.winning_number


def _refusals_in(rows: Iterable[EventRow], seat: str | None) -> Iterator[FoundRefusal]:
    for row in rows:
        if row.kind != hap.ActRefused.__name__:
            continue
        refused = cast(hap.ActRefused, event_of(row))
        mine = refused.by.role is Role.PLAYER and seat in {None, refused.by.name}
        if mine and any(each.kind in _WAGER_ACTS for each in refused.acts):
            clause = refused.clause.number
            yield FoundRefusal(
                round=row.round_number,
                sequence=row.sequence,
                at_ms=row.at_ms,
                player=refused.by.name,
                acts=refused.acts,
                clause=clause,
                reason=stated(refused.reason, clause),
            )


def fields_of(event: JournalEvent) -> dict[str, Any]:
    """Return the event's fields as JSON has them, a reason with its sentence."""
    event = without_codes(event)
    fields: dict[str, Any] = msgspec.to_builtins(event)
    reason, clause = getattr(event, "reason", None), getattr(event, "clause", None)
    if isinstance(reason, Reason):
        number = clause.number if isinstance(clause, Clause) else None
        fields["reason"] = msgspec.to_builtins(stated(reason, number))
    return fields


def people_of(event: object) -> str | None:
    """Return who did it, in which positions, or None where nobody is named."""
    people = getattr(event, "by", None) or getattr(event, "initiator", None)
    if isinstance(people, Person):
        people = (people,)
    if not isinstance(people, tuple):
        return None
    return " and ".join(
        f"{each.name} ({'acting ' if each.acting else ''}{each.role.value})"
        for each in people
    )


class EntryShown(Struct, frozen=True):
    account: str
    cents: int


class EventShown(Struct, frozen=True):
    """An event, who did it, and what it did to the money."""

    sequence: int
    at_ms: int
    event: str
    by: str | None
    clause: str | None
    fields: dict[str, Any]
    entries: tuple[EntryShown, ...]
    hash: str
    """It covers all events before it: the seal of a Player's receipt."""


class AnnouncementSeen(Struct, frozen=True):
    """An announcement as a terminal showed it, by its own clock and by ours."""

    terminal: str
    announcement: str
    shown_at_ms: int
    reported_at_ms: int


class RoundShown(Struct, frozen=True):
    """A round in full, as it stands after every correction."""

    table: str
    document: str
    round: int
    phase: Phase
    winning_number: str | None
    bonus_numbers: tuple[str, ...]
    standing: StatedReason | None
    """Why it is void or held, with its clause."""
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    events: tuple[EventShown, ...]
    settled: tuple[SettledWagerView, ...]
    credit_before: dict[str, int]
    """By seat, in cents."""
    credit_after: dict[str, int]
    announcements: tuple[AnnouncementSeen, ...]


def round_shown(found: RecalledRound) -> RoundShown:
    """Return a recalled round as inspectors read it, without codes of vouchers."""
    state = found.state
    begun = [e.event for e in found.events if isinstance(e.event, ev.RoundBegun)]
    return RoundShown(
        table=found.stream,
        document=found.document,
        round=found.number,
        phase=state.phase,
        winning_number=state.winning_number,
        bonus_numbers=tuple(state.facts.bonus_numbers or ()),
        standing=views.standing_of(state),
        limits=begun[0].limits if begun else (),
        settings=begun[0].settings if begun else (),
        events=tuple(_event_shown(each) for each in found.events),
        settled=views.settled_shown(state.settled.wagers if state.settled else ()),
        credit_before=_by_seat(found.credit_before),
        credit_after=_by_seat(found.credit_after),
        announcements=tuple(
            AnnouncementSeen(
                each.event.terminal,
                each.event.announcement,
                each.event.shown_at_ms,
                each.at_ms,
            )
            for each in found.events
            if isinstance(each.event, hap.AnnouncementShown)
        ),
    )


def _by_seat(credit: Mapping[Account, int]) -> dict[str, int]:
    return {account.partition(":")[2]: cents for account, cents in credit.items()}


def _event_shown(each: RecalledEvent) -> EventShown:
    clause = getattr(each.event, "clause", None)
    return EventShown(
        sequence=each.sequence,
        at_ms=each.at_ms,
        event=type(each.event).__name__,
        by=people_of(each.event),
        clause=None if clause is None else str(clause),
        fields=fields_of(each.event),
        entries=tuple(EntryShown(*entry) for entry in each.entries),
        hash=each.hash,
    )


def rounds_between(
    store: Store, stream: str, from_ms: int, until_ms: int
) -> tuple[list[int], bool]:
    """Return the rounds that something happened in, and whether there were more."""
    numbers: dict[int, None] = {}
    rows = rows_between(store, stream, from_ms, until_ms)
    for scanned, row in enumerate(rows, start=1):
        if row.round_number:
            numbers[row.round_number] = None
        if len(numbers) > _MOST_ROUNDS or scanned > _MOST_SCANNED:
            return list(numbers)[:_MOST_ROUNDS], True
    return list(numbers), False


class RecentRounds:
    """Settled rounds, oldest first; a corrected one stands as corrected."""

    def __init__(self) -> None:
        self.rounds: tuple[PastRound, ...] = ()

    def note(
        self, number: int, winning: Number | None, drawn: tuple[Number, ...] = ()
    ) -> None:
        """Note a settlement; a corrected round keeps its Bonus Numbers."""
        known = {each.round: each for each in self.rounds}
        bonus = known[number].bonus if number in known else drawn
        known[number] = views.past_round(number, winning, bonus)
        self.rounds = tuple(known.values())[-HISTORY:]


def recent_rounds(
    store: Store, stream: str, game: Game
) -> tuple[RecentRounds, dict[str, TotalsView]]:
    """Return the last rounds, and what each seat's last settlement came to."""
    history = RecentRounds()
    rows = store.latest_settlements(stream, HISTORY)
    events = [cast(RoundSettled, event_of(row)) for row in rows]
    for row, settled in zip(rows, events, strict=True):
        drawn = _drawn_in(store, row, game)
        history.note(row.round_number, settled.winning_number, drawn)
    return history, _last_totals(events)


def _last_totals(events: Sequence[RoundSettled]) -> dict[str, TotalsView]:
    """Return what the last settlement of each seat came to; the latest is the last."""
    found: dict[str, TotalsView] = {}
    for settled in reversed(events):
        if not found.keys() >= {wager.player for wager in settled.wagers}:
            found = views.totals_by_player(settled) | found
    return found


_SHORTLY_BEFORE = 50


def _drawn_in(store: Store, settled: EventRow, game: Game) -> tuple[Number, ...]:
    """Return the Bonus Numbers, which no settlement has, from the round's events.

    They were drawn shortly before it, unless the settlement is a later one.
    """
    if not game.provides(Rule.BONUS_DRAW):
        return ()
    stream, number = settled.stream, settled.round_number
    last = settled.sequence
    near = store.few_events(stream, last - _SHORTLY_BEFORE, last)
    for rows in (near, store.events(stream, round_number=number)):
        for row in rows:
            if row.kind == BonusNumbersDrawn.__name__ and row.round_number == number:
                return cast(BonusNumbersDrawn, event_of(row)).numbers
    return ()
