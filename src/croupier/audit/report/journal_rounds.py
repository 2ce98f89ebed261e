"""Rounds and meters of a journal, by gaming day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar, cast, get_args

import numpy as np

from croupier.audit.report.days import UNTOLD, Clock, Days, DaySpan
from croupier.audit.report.rounds import (
    AMOUNTS,
    ROUNDS_AT_ONCE,
    Block,
    GameTable,
    Meter,
    Meters,
    game_table,
)
from croupier.games import game_of_document
from croupier.journal.events.house import HouseDefined
from croupier.journal.settlements import (
    RoundSettlement,
    chosen_tables,
    dealers_of,
    event_of,
    settlements,
)
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.ledger.money import BoughtIn, ColourChipsBought, VoucherRedeemed
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.notation import shown


def days_of_journal(store: Store) -> Days:
    """Return the days that the house's stream defines; days of UTC if there is none."""
    since = []
    for row in store.events(HOUSE_STREAM, kinds=[HouseDefined.__name__]):
        house = cast(HouseDefined, event_of(row)).house
        clock = Clock(house.time_zone, house.gaming_day_begins)
        since.append((row.at_ms, clock))
    return Days(tuple(since), is_told=True) if since else UNTOLD


BuyIn = BoughtIn | VoucherRedeemed | ColourChipsBought
_BUY_INS = tuple(kind.__name__ for kind in get_args(BuyIn))


@dataclass(slots=True)
class JournalRounds:
    """Reads the tables of a journal; the meters are complete once all blocks are."""

    knows_days: ClassVar = True
    writes_days: ClassVar = False
    differences: ClassVar = None
    store: Store
    days: Days
    span: DaySpan
    meters: Meters = field(default_factory=Meters)

    def blocks(self) -> Iterator[Block]:
        """Return each table's rounds that reached an outcome; raises `JournalError`."""
        for stream in chosen_tables(self.store, None):
            self._meter_drop(stream)
            dealers = dealers_of(self.store, stream)
            rounds: list[tuple[str, str, RoundSettlement]] = []
            table: GameTable | None = None
            for settlement in settlements(self.store, stream):
                self._meter(stream, settlement)
                day = self.days.day(settlement.first_ms)
                counts = settlement.is_last and settlement.winning_number is not None
                if not counts or day not in self.span:
                    continue
                found = game_table(game_of_document(settlement.document))
                if table is not None and (
                    found is not table or len(rounds) == ROUNDS_AT_ONCE
                ):
                    yield _block(table, stream, rounds)
                    rounds = []
                table = found
                dealer = dealers.get(settlement.round_number, "")
                rounds.append((day, dealer, settlement))
            if table is not None:
                yield _block(table, stream, rounds)

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
        """Return the meter, which also counts corrections and the drop."""
        meter = self.meters.at((stream, day))
        meter.add(Meter(corrections=0, drop_cents=0))
        return meter

    def _meter_drop(self, stream: str) -> None:
        for row in self.store.events(stream, kinds=_BUY_INS):
            day = self.days.day(row.at_ms)
            if day in self.span:
                bought = cast(BuyIn, event_of(row))
                self._meter_of(stream, day).add(Meter(drop_cents=bought.cents))


def _block(
    table: GameTable, stream: str, rounds: list[tuple[str, str, RoundSettlement]]
) -> Block:
    """Return the rounds of a table, each with its day and Dealer, as a block."""
    index, rows = table.compiled.area_index, []
    for place, (_, _, settlement) in enumerate(rounds):
        for piece in _pieces(settlement.settled):
            if piece.area not in index:
                raise JournalError(
                    f"round {settlement.round_number} of {shown(stream)} has chips on"
                    f" {shown(piece.area)}, which {table.game.name} lacks"
                )
            amounts = (getattr(piece, f"{name}_cents") for name in AMOUNTS)
            rows.append((place, index[piece.area], *amounts))
    columns = np.array(rows, np.int64).reshape(-1, 2 + len(AMOUNTS))
    return Block(
        table,
        [stream] * len(rounds),
        [day for day, _, _ in rounds],
        [dealer for _, dealer, _ in rounds],
        np.array([len(each.settled.wagers) for _, _, each in rounds], np.int64),
        columns[:, 0],
        columns[:, 1],
        columns[:, 2:],
    )


def _counted(settled: RoundSettled) -> Meter:
    """Return one settlement as a meter."""
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
