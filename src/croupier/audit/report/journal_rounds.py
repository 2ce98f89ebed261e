"""Rounds read from a journal: blocks of rounds, and meters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audit.report.days import Days, Span
from croupier.audit.report.rounds import Block, BlockBuilder, Meter, Meters, game_table
from croupier.audit.report.settlements import RoundSettlement, settlements
from croupier.journal.store import JournalError, Store
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.notation import shown


@dataclass(slots=True)
class JournalRounds:
    """Reads the tables of a journal; the meters are whole when the blocks are read."""

    store: Store
    tables: list[str]
    days: Days
    span: Span
    meters: Meters = field(default_factory=Meters)

    def blocks(self) -> Iterator[Block]:
        """Return each table's rounds that reached an outcome; raises `JournalError`."""
        for stream in self.tables:
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
                builder.begin(stream, day, len(settlement.settled.wagers))
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
        meter = self.meters.at((stream, day))
        meter.corrections = meter.corrections or 0
        meter.add(_counted(settlement.settled))
        if settlement.before is not None:
            meter.add(_counted(settlement.before), -1)
            meter.corrections += 1


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
