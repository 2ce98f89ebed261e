"""Rounds and meters of a journal, by gaming day."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast, get_args

from croupier.audit.report.days import UNTOLD, Clock, Days, DaySpan
from croupier.audit.report.rounds import Block, BlockBuilder, Meter, Meters, game_table
from croupier.games import game_of_document
from croupier.journal.events.house import HouseDefined
from croupier.journal.settlements import RoundSettlement, event_of, settlements
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.ledger.money import BoughtIn, ColourChipsBought, VoucherRedeemed
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.notation import shown


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


_DealersOf = Callable[[str], Mapping[int, str]]
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
    dealers_of: _DealersOf
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
                game = game_of_document(settlement.document)
                if builder is None or builder.table.game is not game:
                    if builder is not None:
                        yield builder.build()
                    builder = BlockBuilder(game_table(game))
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
                f" {shown(piece.area)}, which {builder.table.game.name} lacks"
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
