"""Past rounds: in brief, in full, and the wagers in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import cast

import msgspec
from msgspec import Struct

from croupier.games import game_of_document
from croupier.house.history.event_details import (
    EventShown,
    event_shown,
    explanation_of,
)
from croupier.house.views import parts
from croupier.journal.events.table import ActRefused, AnnouncementShown, RefusedAct
from croupier.journal.store import Store
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Entry, is_seat
from croupier.protocol.answers import (
    HISTORY,
    PastRound,
    SettledWagerView,
    StatedReason,
    TotalsView,
    stated,
)
from croupier.rules.clause import Rule
from croupier.rules.commands import IncreaseWager, PlaceWager, WithdrawWager
from croupier.rules.events import (
    BallRestated,
    BonusNumbersCorrected,
    BonusNumbersDrawn,
    OutcomeAnnounced,
    OutcomeCorrected,
    OutcomeDecided,
    RoundBegun,
    RoundHeld,
    RoundSettled,
    RoundVoided,
    SettledWager,
    WagerIncreased,
    WagerMarkedUnclear,
    WagerPlaced,
    WagerRuled,
    WagerWithdrawn,
)
from croupier.rules.game import Game
from croupier.rules.operator import Role
from croupier.rules.round import Phase
from croupier.rules.wheel import Number, colour_of
from croupier.table.answers import event_of
from croupier.table.commands import Together
from croupier.table.reasons import StreamError, TableReason
from croupier.table.replay import recall_round

_MOST_ROUNDS = 200
_MOST_SEALED = 10
_SETTLED = RoundSettled.__name__
CORRECTING = tuple(
    kind.__name__
    for kind in (
        OutcomeCorrected,
        OutcomeDecided,
        BonusNumbersCorrected,
        BallRestated,
        RoundVoided,
        WagerRuled,
    )
)
"""The events after which a settled round is settled again."""
_DECIDING = tuple(
    kind.__name__ for kind in (BonusNumbersDrawn, RoundHeld, OutcomeAnnounced)
)
IN_BRIEF = (RoundBegun.__name__, *_DECIDING, *CORRECTING, _SETTLED)
"""The events that `read_round` needs."""
_OF_WAGERS = (
    *(
        kind.__name__
        for kind in (
            WagerPlaced,
            WagerIncreased,
            WagerWithdrawn,
            WagerMarkedUnclear,
            WagerRuled,
            ActRefused,
        )
    ),
    _SETTLED,
)
_WAGER_ACTS = frozenset(
    kind.__name__ for kind in (PlaceWager, IncreaseWager, WithdrawWager, Together)
)


class RoundCorrection(Struct, frozen=True):
    """A correction of a settled round, with its reason and its effect."""

    event: str
    """Such as `OutcomeCorrected` or `WagerRuled`."""
    at_ms: int
    clause: str | None
    reason: StatedReason | None
    because: str
    """The staff's own words, or empty."""
    number_before: str | None
    number_after: str | None
    net_before_cents: int
    net_after_cents: int


class RoundShown(Struct, kw_only=True):
    """A round as it stands after every correction."""

    table: str
    document: str
    round: int
    status: str = "open"
    """`settled`, `void`, `referred` or `open`."""
    winning_number: str | None = None
    bonus_numbers: tuple[str, ...] = ()
    clause: str | None = None
    """The clause by which it is void or referred."""
    began_ms: int
    settled_ms: int | None = None
    sequence: int | None = None
    """The place of the last settlement in the table's journal."""
    seal: str | None = None
    """The hash of that event, which covers all earlier ones and proves a receipt."""
    wager_count: int = 0
    totals: TotalsView = TotalsView()
    """Of all wagers, or of one seat's."""
    wagers: tuple[SettledWagerView, ...] = ()
    """Filled for one seat, and for a round in full."""
    corrections: tuple[RoundCorrection, ...] = ()
    """Oldest first."""


Owns = Callable[[SettledWager], bool]


def read_round(rows: Iterable[EventRow], owns: Owns | None = None) -> RoundShown | None:
    """Return a round from its events, or None if there are none.

    With `owns`, only the wagers for which it is true count, and they are listed.
    """
    found: RoundShown | None = None
    settled: RoundSettled | None = None
    why: EventRow | None = None
    for row in rows:
        found = found or RoundShown(
            table=row.stream,
            document=row.document,
            round=row.round_number,
            began_ms=row.at_ms,
        )
        match event_of(row) if row.kind in IN_BRIEF else None:
            case BonusNumbersDrawn(numbers=numbers):
                found.bonus_numbers = numbers
            case RoundHeld(clause=clause):
                found.status, found.clause = "referred", clause.number
            case RoundVoided(clause=clause):
                found.status, found.clause = "void", clause.number
                found.winning_number = None
            case OutcomeAnnounced(number=number) | OutcomeDecided(number=number):
                found.status, found.winning_number = "open", number
            case RoundSettled() as event:
                net_cents = found.totals.net_cents
                _settle(found, row, event, owns)
                if settled is not None and why is not None:
                    former = settled.winning_number
                    found.corrections += (_correction(found, why, former, net_cents),)
                settled = event
        if row.kind in CORRECTING:
            why = row
    return found


def _settle(
    found: RoundShown, row: EventRow, event: RoundSettled, owns: Owns | None
) -> None:
    counted = [wager for wager in event.wagers if owns is None or owns(wager)]
    found.winning_number = event.winning_number
    found.status = "void" if event.winning_number is None else "settled"
    found.settled_ms, found.sequence, found.seal = row.at_ms, row.sequence, row.hash
    found.wager_count, found.totals = len(counted), parts.totals_of(counted)
    found.wagers = parts.settled_shown(counted) if owns else ()


def _correction(
    found: RoundShown, why: EventRow, number_before: str | None, net_before_cents: int
) -> RoundCorrection:
    clause, reason, because = explanation_of(event_of(why))
    return RoundCorrection(
        event=why.kind,
        at_ms=why.at_ms,
        clause=clause,
        reason=reason,
        because=because,
        number_before=number_before,
        number_after=found.winning_number,
        net_before_cents=net_before_cents,
        net_after_cents=found.totals.net_cents,
    )


def rounds_before(
    store: Store, table: str, before: int, count: int
) -> list[RoundShown]:
    found = (
        read_round(store.events(table, round_number=number, kinds=IN_BRIEF))
        for number in range(before - 1, max(before - 1 - count, 0), -1)
    )
    return [each for each in found if each is not None]


def rounds_sealed(store: Store, table: str, seal: str) -> list[RoundShown]:
    """Return at most ten rounds with a settlement whose seal begins with `seal`.

    Each round is as that settlement left it.
    """
    numbers = store.rounds_with(table, [_SETTLED], sealed=seal)[:_MOST_SEALED]
    found = (read_round(_until_seal(store, table, each, seal)) for each in numbers)
    return [each for each in found if each is not None]


def _until_seal(store: Store, table: str, number: int, seal: str) -> Iterator[EventRow]:
    for row in store.events(table, round_number=number, kinds=IN_BRIEF):
        yield row
        if row.kind == _SETTLED and row.hash.startswith(seal):
            return


class AnnouncementSeen(Struct, frozen=True):
    """An announcement that a terminal showed, by its clock and by the house's."""

    terminal: str
    announcement: str
    shown_at_ms: int
    reported_at_ms: int


class RoundInFull(RoundShown, kw_only=True):
    """A round in full, as it stands after every correction."""

    phase: Phase
    standing: StatedReason | None
    """The reason that it is void or held, with its clause."""
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    events: tuple[EventShown, ...]
    credit_before: dict[str, int]
    """By seat, in cents."""
    credit_after: dict[str, int]
    announcements: tuple[AnnouncementSeen, ...]


def recall(store: Store, table: str, number: int) -> RoundInFull:
    """Return a round in full; raise `StreamError` if there is none."""
    rows = list(store.events(table, round_number=number))
    brief = read_round(rows, lambda _: True)
    if number < 1 or brief is None:
        raise StreamError(TableReason.NO_ROUND(stream=table[:60], round=number))
    first, last = rows[0].sequence, rows[-1].sequence
    entries: dict[int, list[Entry]] = {}
    for sequence, _, entry in store.entries(table, after=first - 1, until=last):
        entries.setdefault(sequence, []).append(entry)
    state = recall_round(store, table, game_of_document(brief.document), number)
    begun = event_of(rows[0])
    assert isinstance(begun, RoundBegun)
    before, after = _credit(store, table, first, last)
    return RoundInFull(
        **msgspec.structs.asdict(brief),
        phase=state.phase,
        standing=parts.standing_of(state),
        limits=begun.limits,
        settings=begun.settings,
        events=tuple(
            event_shown(each, entries.get(each.sequence, [])) for each in rows
        ),
        credit_before=before,
        credit_after=after,
        announcements=tuple(_announcements(rows)),
    )


def _credit(
    store: Store, table: str, first: int, last: int
) -> tuple[dict[str, int], dict[str, int]]:
    """Return every seat's credit before the event `first` and after `last`."""
    since = store.entry_sums(table, after=last)
    moved = store.entry_sums(table, after=first - 1, until=last)
    before, after = {}, {}
    for account, cents in store.balances(table).items():
        if is_seat(account):
            seat = account.partition(":")[2]
            after[seat] = cents - sum(since.get(account, ()))
            before[seat] = after[seat] - sum(moved.get(account, ()))
    return before, after


def _announcements(rows: Iterable[EventRow]) -> Iterator[AnnouncementSeen]:
    for row in rows:
        event = event_of(row) if row.kind == AnnouncementShown.__name__ else None
        if isinstance(event, AnnouncementShown):
            yield AnnouncementSeen(
                event.terminal, event.announcement, event.shown_at_ms, row.at_ms
            )


class FoundWager(Struct):
    """A wager with its events and its settlement."""

    round: int
    id: str
    player: str
    terminal: str | None
    wager: str
    steps: list[EventShown]
    winning_number: str | None = None
    settled: SettledWagerView | None = None


class FoundRefusal(Struct, frozen=True):
    round: int
    sequence: int
    at_ms: int
    player: str
    acts: tuple[RefusedAct, ...]
    clause: str
    reason: StatedReason


class WagerSearch(Struct):
    table: str
    wagers: list[FoundWager]
    refusals: list[FoundRefusal]
    has_more: bool
    """The search was too wide; there may be more."""


def rounds_between(store: Store, table: str, from_ms: int, until_ms: int) -> list[int]:
    """Return the rounds that were in play, settled or corrected between two times."""
    after = store.sequence_before(table, from_ms)
    until = store.sequence_before(table, until_ms)
    kinds = (RoundBegun.__name__, *CORRECTING, _SETTLED)
    rounds = store.rounds_with(table, kinds, after=after, until=until)
    begun = store.few_events(table, after + 1, min(after + 1, until))
    return sorted({*rounds, *(row.round_number for row in begun)} - {0})


def search_wagers(
    store: Store, table: str, rounds: list[int], *, seat: str | None
) -> WagerSearch:
    """Return the wagers and refused wagers of a seat (None: of all) in these rounds."""
    search = WagerSearch(table, [], [], len(rounds) > _MOST_ROUNDS)
    for number in rounds[:_MOST_ROUNDS]:
        rows = store.events(table, round_number=number, kinds=_OF_WAGERS)
        found: dict[str, FoundWager] = {}
        for row in rows:
            _note_wager(row, found, search.refusals, seat)
        search.wagers += found.values()
    return search


def _note_wager(
    row: EventRow,
    found: dict[str, FoundWager],
    refusals: list[FoundRefusal],
    seat: str | None,
) -> None:
    event = event_of(row)
    match event:
        case RoundSettled():
            for settled in event.wagers:
                if settled.wager_id in found:
                    mine = found[settled.wager_id]
                    [mine.settled] = parts.settled_shown([settled])
                    mine.winning_number = event.winning_number
            return
        case ActRefused(by=by) if seat in {None, by.name}:
            refusals += _refused_wagers(row, event)
        case WagerPlaced(player=player) if seat in {None, player}:
            found[event.wager_id] = FoundWager(
                row.round_number,
                event.wager_id,
                player,
                event.terminal,
                event.wager,
                [],
            )
    wager = found.get(getattr(event, "wager_id", ""))
    if wager is not None:
        wager.steps.append(event_shown(row, []))


def _refused_wagers(row: EventRow, refused: ActRefused) -> Iterator[FoundRefusal]:
    is_player = refused.by.role is Role.PLAYER
    if is_player and any(each.kind in _WAGER_ACTS for each in refused.acts):
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


class RecentRounds:
    """The latest settled rounds as they stand after corrections, oldest first."""

    def __init__(self) -> None:
        self.rounds: tuple[PastRound, ...] = ()

    def note(
        self, number: int, winning: Number | None, drawn: tuple[Number, ...] = ()
    ) -> None:
        """Add a settlement, or correct a round, which keeps its Bonus Numbers."""
        known = {each.round: each for each in self.rounds}
        bonus = known[number].bonus if number in known else drawn
        colour = None if winning is None else colour_of(winning).value
        known[number] = PastRound(number, winning, colour, bonus)
        self.rounds = tuple(known.values())[-HISTORY:]


def recent_rounds(
    store: Store, table: str, game: Game
) -> tuple[RecentRounds, dict[str, TotalsView]]:
    """Return the latest rounds, and the totals of each seat's last settlement."""
    recent = RecentRounds()
    rows = store.latest_events(table, RoundSettled.__name__, HISTORY)
    settled = [cast(RoundSettled, event_of(row)) for row in rows]
    drawn = _drawn(store, table) if game.provides(Rule.BONUS_DRAW) else {}
    for row, each in zip(rows, settled, strict=True):
        number = row.round_number
        recent.note(number, each.winning_number, drawn.get(number, ()))
    totals: dict[str, TotalsView] = {}
    for each in reversed(settled):
        if not totals.keys() >= {wager.player for wager in each.wagers}:
            totals = parts.totals_by_player(each) | totals
    return recent, totals


def _drawn(store: Store, table: str) -> dict[int, tuple[Number, ...]]:
    """Return the Bonus Numbers of the latest rounds; settlements do not have them."""
    rows = store.latest_events(table, BonusNumbersDrawn.__name__, HISTORY)
    return {
        row.round_number: cast(BonusNumbersDrawn, event_of(row)).numbers for row in rows
    }
