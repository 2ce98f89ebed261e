"""Rounds read from a journal: blocks of rounds, and meters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from croupier.audit.report.days import Days, Span
from croupier.audit.report.rounds import Block, BlockBuilder, Meter, Meters, game_table
from croupier.audit.report.settlements import (
    RoundSettlement,
    drawn_numbers,
    settlements,
)
from croupier.journal.store import JournalError, Store
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Rule
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.rules.wheel import Number

_Drawn = frozenset[Number]


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
                drawn = drawn_numbers(self.store, stream, settlement)
                self._meter(stream, settlement, drawn)
                day = self.days.day(settlement.first_ms)
                if not _counts(settlement) or day not in self.span:
                    continue
                if builder is None or builder.table.game is not settlement.game:
                    if builder is not None:
                        yield builder.build()
                    builder = BlockBuilder(game_table(settlement.game))
                builder.begin(stream, day, len(settlement.settled.wagers))
                _add_pieces(builder, stream, settlement, drawn)
                if builder.is_full:
                    yield builder.build()
                    builder = BlockBuilder(builder.table)
            if builder is not None:
                yield builder.build()

    def _meter(self, stream: str, settlement: RoundSettlement, drawn: _Drawn) -> None:
        day = self.days.day(settlement.at_ms)
        if day not in self.span:
            return
        meter = self.meters.at((stream, day))
        meter.corrections = meter.corrections or 0
        meter.add(_counted(settlement.game, settlement.settled, drawn))
        if settlement.before is not None:
            meter.add(_counted(settlement.game, settlement.before, drawn), -1)
            meter.corrections += 1


def _counts(settlement: RoundSettlement) -> bool:
    return settlement.is_last and settlement.winning_number is not None


def _add_pieces(
    builder: BlockBuilder, stream: str, settlement: RoundSettlement, drawn: _Drawn
) -> None:
    index = builder.table.compiled.area_index
    for piece, at_risk in _at_risk(settlement.game, settlement.settled, drawn):
        if piece.area not in index:
            raise JournalError(
                f"round {settlement.round_number} of {shown(stream)} has chips on"
                f" {shown(piece.area)}, which {settlement.game.name} lacks"
            )
        builder.add(
            index[piece.area],
            (
                piece.stake_cents,
                at_risk,
                piece.paid_cents,
                piece.collected_cents,
                piece.returned_cents,
            ),
        )


def _counted(game: Game, settled: RoundSettled, drawn: _Drawn) -> Meter:
    """Return what one settlement adds to the meters."""
    if settled.winning_number is None:
        return Meter(voids=1)
    meter = Meter(rounds=1)
    for piece, at_risk in _at_risk(game, settled, drawn):
        meter.handle_cents += at_risk
        meter.paid_cents += piece.paid_cents
        meter.win_cents += piece.collected_cents - piece.paid_cents
    return meter


def _at_risk(
    game: Game, settled: RoundSettled, drawn: _Drawn
) -> Iterator[tuple[SettledPiece, int]]:
    """Each piece of a round that has an outcome, with what of it could be lost."""
    assert settled.winning_number is not None
    winning = winning_areas(game, Outcome(settled.winning_number, drawn))
    usual = _usual_clauses(game)
    for wager in settled.wagers:
        for piece in wager.pieces:
            pays = winning.get(piece.area)
            if not piece.paid_cents:
                yield piece, piece.collected_cents
            elif pays is None or piece.clause in usual:
                yield piece, piece.stake_cents
            else:
                # By a maximum or a ruling, less than the stake was at risk.
                yield piece, min(piece.stake_cents, piece.paid_cents // pays)


@lru_cache(maxsize=16)
def _usual_clauses(game: Game) -> frozenset[str]:
    """Return the clauses by which a paid piece had its whole stake at risk."""
    rules = (Rule.ZERO, Rule.REGISTERED_SETTLED, Rule.UNDER_MINIMUM)
    numbers = {game.clause(rule).number for rule in rules if game.provides(rule)}
    return frozenset({*game.pay_clauses.values(), *numbers})
