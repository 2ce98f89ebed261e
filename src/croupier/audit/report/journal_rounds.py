"""Rounds read from a journal: settlements, meters, gaming days, and who dealt.

A correction settles a round anew, and a round can be voided after it was settled; so
the settlements are read once beforehand, to find those that were followed by another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast, get_args

from croupier.audit.report.days import UNTOLD, Clock, Days, DaySpan
from croupier.audit.report.rounds import Block, BlockBuilder, Meter, Meters, game_table
from croupier.games import UnknownGame, game_of_document
from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.events.house import HouseDefined
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.tables import EventRow
from croupier.ledger.money import BoughtIn, ColourChipsBought, VoucherRedeemed
from croupier.rules.events import (
    BallSpun,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    PlaceYourBetsAnnounced,
    RoundSettled,
    SettledPiece,
)
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.rules.operator import Role
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class RoundSettlement:
    """One settlement of a round; void rounds have no winning number."""

    game: Game
    round_number: int
    settled: RoundSettled
    at_ms: int
    first_ms: int
    """When the round was settled first."""
    before: RoundSettled | None
    """The settlement before it, if any."""
    is_last: bool

    @property
    def winning_number(self) -> Number | None:
        return self.settled.winning_number


def table_streams(store: Store) -> list[str]:
    """Return the tables of a journal, by name."""
    return sorted(head.stream for head in store.heads() if head.stream != HOUSE_STREAM)


def chosen_tables(store: Store, table: str | None) -> list[str]:
    """Return all tables, or the one that is named; raises `JournalError`."""
    tables = table_streams(store)
    if not tables:
        raise JournalError("there is no table in the journal")
    if table is None:
        return tables
    if table not in tables:
        raise JournalError(
            f"there is no table {shown(table)} in the journal; it has"
            f" {', '.join(tables)}"
        )
    return [table]


def settlements(store: Store, stream: str) -> Iterator[RoundSettlement]:
    """Return every settlement of a table, in order; raises `JournalError`."""
    again = _settled_again(store, stream)
    for row in store.settlements(stream):
        rows = again.get(row.round_number, [row])
        place = next(p for p, each in enumerate(rows) if each.sequence == row.sequence)
        yield RoundSettlement(
            game_of(row),
            row.round_number,
            _settled(row),
            row.at_ms,
            rows[0].at_ms,
            _settled(rows[place - 1]) if place else None,
            place == len(rows) - 1,
        )


def _settled_again(store: Store, stream: str) -> dict[int, list[EventRow]]:
    """Return the settlements of rounds that have more than one."""
    seen = bytearray()
    again = set()
    for row in store.settlements(stream):
        byte, bit = divmod(row.round_number, 8)
        if byte >= len(seen):
            seen.extend(bytes(byte + 1 - len(seen)))
        if seen[byte] & 1 << bit:
            again.add(row.round_number)
        seen[byte] |= 1 << bit
    return {
        number: [
            row
            for row in store.events(stream, round_number=number)
            if row.kind == RoundSettled.__name__
        ]
        for number in again
    }


def event_of(row: EventRow) -> JournalEvent:
    """Return the event of a row; raises `JournalError`."""
    try:
        return decode(row.schema, row.kind, row.body)
    except UnreadableEvent as error:
        raise JournalError(f"{_place(row)} can't be read: {error}") from error


def _settled(row: EventRow) -> RoundSettled:
    return cast(RoundSettled, event_of(row))


def game_of(row: EventRow) -> Game:
    """Return the game by whose document it was judged; raises `JournalError`."""
    try:
        return game_of_document(row.document)
    except UnknownGame as error:
        raise JournalError(f"{_place(row)}: {error}") from error


def _place(row: EventRow) -> str:
    return f"event {row.sequence} of {shown(row.stream)}"


def days_of_journal(store: Store) -> Days:
    """Return the days that the house's stream defines; days of UTC if there is none."""
    since = []
    if store.head(HOUSE_STREAM) is not None:
        for row in store.events(HOUSE_STREAM):
            if row.kind == HouseDefined.__name__:
                house = cast(HouseDefined, event_of(row)).house
                clock = Clock(house.time_zone, house.gaming_day_begins)
                since.append((row.at_ms, clock))
    return Days(tuple(since), is_told=True) if since else UNTOLD


DealersOf = Callable[[str], Mapping[int, str]]
"""The Dealers' names of a table's rounds."""
BuyIn = BoughtIn | VoucherRedeemed | ColourChipsBought
_BUY_INS = frozenset(kind.__name__ for kind in get_args(BuyIn))


@dataclass(slots=True)
class JournalRounds:
    """Reads the tables of a journal; the meters are whole when the blocks are read."""

    store: Store
    tables: list[str]
    days: Days
    span: DaySpan
    dealers_of: DealersOf
    meters: Meters = field(default_factory=Meters)

    def blocks(self) -> Iterator[Block]:
        """Return each table's rounds that reached an outcome; raises `JournalError`."""
        for stream in self.tables:
            self._meter_drop(stream)
            dealers = self.dealers_of(stream)
            builder: BlockBuilder | None = None
            for settlement in settlements(self.store, stream):
                self._meter(stream, settlement)
                day = self.days.day(settlement.first_ms)
                if not _counts(settlement) or day not in self.span:
                    continue
                if builder is None or builder.table.game is not settlement.game:
                    if builder is not None:
                        yield builder.build()
                    builder = BlockBuilder(game_table(settlement.game))
                dealer = dealers.get(settlement.round_number, "")
                builder.begin(stream, day, dealer, len(settlement.settled.wagers))
                _add_pieces(builder, stream, settlement)
                if builder.is_full:
                    yield builder.build()
                    builder = BlockBuilder(builder.table)
            if builder is not None:
                yield builder.build()

    def _meter(self, stream: str, settlement: RoundSettlement) -> None:
        day = self.days.day(settlement.at_ms)
        if day not in self.span:
            return
        meter = self._meter_of(stream, day)
        meter.add(_counted(settlement.settled))
        if settlement.before is not None:
            meter.add(_counted(settlement.before), -1)
            meter.add(Meter(corrections=1))

    def _meter_of(self, stream: str, day: str) -> Meter:
        """Return a meter that counts all that a journal tells."""
        meter = self.meters.at((stream, day))
        meter.add(Meter(corrections=0, drop_cents=0))
        return meter

    def _meter_drop(self, stream: str) -> None:
        for row in self.store.events(stream):
            if row.kind not in _BUY_INS:
                continue
            day = self.days.day(row.at_ms)
            if day in self.span:
                bought = cast(BuyIn, event_of(row))
                self._meter_of(stream, day).add(Meter(drop_cents=bought.cents))


def _counts(settlement: RoundSettlement) -> bool:
    return settlement.is_last and settlement.winning_number is not None


def _add_pieces(
    builder: BlockBuilder, stream: str, settlement: RoundSettlement
) -> None:
    index = builder.table.compiled.area_index
    for piece in _pieces(settlement.settled):
        if piece.area not in index:
            raise JournalError(
                f"round {settlement.round_number} of {shown(stream)} has chips on"
                f" {shown(piece.area)}, which {settlement.game.name} lacks"
            )
        builder.add(
            index[piece.area],
            (
                piece.stake_cents,
                piece.at_risk_cents,
                piece.paid_cents,
                piece.collected_cents,
                piece.returned_cents,
            ),
        )


def _counted(settled: RoundSettled) -> Meter:
    """Return what one settlement adds to the meters."""
    if settled.winning_number is None:
        return Meter(voids=1)
    meter = Meter(rounds=1)
    for piece in _pieces(settled):
        meter.handle_cents += piece.at_risk_cents
        meter.paid_cents += piece.paid_cents
        meter.win_cents += piece.collected_cents - piece.paid_cents
    return meter


def _pieces(settled: RoundSettled) -> Iterator[SettledPiece]:
    for wager in settled.wagers:
        yield from wager.pieces


_TELLING = (BallSpun, NoMoreBetsAnnounced, PlaceYourBetsAnnounced, OutcomeAnnounced)
"""Acts of a Dealer in a round; the first of them that is told says who dealt it."""
_RANKS = {kind.__name__: rank for rank, kind in enumerate(_TELLING)}


def dealers_of(store: Store, stream: str) -> dict[int, str]:
    """Return the Dealer's name by round; raises `JournalError`.

    It is the one who spun the ball. Where a sensor told of the spin, it is the one who
    closed the bets, opened them or announced the outcome. A round in which no Dealer
    acted is absent.
    """
    found: dict[int, tuple[int, str]] = {}
    for row in store.events(stream):
        rank = _RANKS.get(row.kind)
        if rank is None:
            continue
        event = event_of(row)
        assert isinstance(event, _TELLING)
        known = found.get(row.round_number)
        # The latest of a kind counts: a ball spun again was spun by the second one.
        if event.by.role is Role.DEALER and (known is None or rank <= known[0]):
            found[row.round_number] = rank, event.by.name
    return {number: name for number, (_, name) in found.items()}
