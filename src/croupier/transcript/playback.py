"""Playback of a transcript: each act judged, accepted or refused, and settled."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.rules.clause import Refusal
from croupier.rules.decisions import decide_act
from croupier.rules.events import Event, SettledPiece, SettledWager
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.series import (
    Recorded,
    Series,
    apply_recorded,
    begin_round,
    end_round,
)
from croupier.rules.wagers import Wager
from croupier.transcript.parser import Transcript, TranscriptLine


@dataclass(frozen=True, slots=True)
class PlayedLine:
    """An act and its answer: the recorded events, or the refusal."""

    line: TranscriptLine
    answer: tuple[Recorded, ...] | Refusal


@dataclass(frozen=True, slots=True)
class PlayedTranscript:
    """A transcript played to its end."""

    series: Series
    lines: tuple[tuple[PlayedLine, ...], ...]
    """The lines of each round."""
    records: tuple[Recorded, ...] = field(repr=False)
    """Everything that was recorded, in order."""

    def __repr__(self) -> str:
        name, rounds = self.series.game.name, len(self.lines)
        return f"<PlayedTranscript of {name}: rounds {rounds}>"

    @property
    def rounds(self) -> tuple[RoundOfPlay, ...]:
        return tuple(self.series.round(n) for n in range(1, self.series.last + 1))

    def events_of(self, number: int) -> tuple[Event, ...]:
        return tuple(
            record.event for record in self.records if record.round_number == number
        )


def play(transcript: Transcript) -> PlayedTranscript:
    """Play every round in order; a refused act changes nothing and play goes on."""
    series = Series(transcript.game, transcript.limits, transcript.settings)
    records: list[Recorded] = []
    rounds: list[tuple[PlayedLine, ...]] = []
    for lines in transcript.rounds:
        series = _record(series, begin_round(series), records)
        played: list[PlayedLine] = []
        for line in lines:
            answer = decide_act(series, line.act)
            if not isinstance(answer, Refusal):
                series = _record(series, answer, records)
            played.append(PlayedLine(line, answer))
        rounds.append(tuple(played))
    series = _record(series, end_round(series), records)
    return PlayedTranscript(series, tuple(rounds), tuple(records))


def _record(
    series: Series, answer: tuple[Recorded, ...], records: list[Recorded]
) -> Series:
    for record in answer:
        series = apply_recorded(series, record)
    records.extend(answer)
    return series


def status_of(state: RoundOfPlay) -> str:
    """`settled`, `void`, `referred` or `open`."""
    if state.phase is Phase.HELD:
        return "referred"
    if state.phase is Phase.VOID or (
        state.phase is Phase.ENDED and state.standing is not None
    ):
        return "void"
    return "settled" if state.phase is Phase.ENDED else "open"


def settled_wagers(state: RoundOfPlay) -> tuple[SettledWager, ...]:
    """Return the round's settled wagers; before the settlement, all sums are 0."""
    if state.settled is not None and state.phase is Phase.ENDED:
        return state.settled.wagers
    return tuple(_unmoved(wager) for wager in state.board.in_order())


def _unmoved(wager: Wager) -> SettledWager:
    pieces = tuple(
        SettledPiece(area.name, cents, 0, 0, 0, 0, "")
        for area, cents in zip(wager.areas, wager.piece_cents, strict=True)
    )
    return SettledWager(wager.wager_id, wager.player, wager.name, pieces)
