"""The end of a played transcript: rounds, refusals, and each wager's money."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from croupier.rules.cents import write_cents
from croupier.rules.clause import Refusal
from croupier.rules.game import Game
from croupier.rules.notation import NotationError
from croupier.rules.round import RoundOfPlay
from croupier.rules.terms import read_limits
from croupier.transcript import (
    PlayedTranscript,
    Transcript,
    TranscriptError,
    TranscriptLine,
    play,
    read_line,
    status_of,
)
from croupier.transcript.playback import settled_wagers
from croupier.transcript.results import totals

OPEN = "not concluded"
ABSENT = "no such act"
"""An act that the notation of a game lacks."""


def round_endings(played: PlayedTranscript) -> list[str]:
    """Return the end of each round, such as `settled 17` or `void 5.1`."""
    return [_ending(state) for state in played.rounds]


def _ending(state: RoundOfPlay) -> str:
    status = status_of(state)
    if status == "settled":
        return f"settled {state.winning_number}"
    if state.standing is not None and status in {"void", "referred"}:
        word = "held" if status == "referred" else "void"
        return f"{word} {state.standing.clause.number}"
    return OPEN


def refusals(played: PlayedTranscript) -> list[str]:
    """Return the refusals in the order of the acts, such as `refused 5.13`."""
    return [
        f"refused {line.answer.clause.number}"
        for lines in played.lines
        for line in lines
        if isinstance(line.answer, Refusal)
    ]


def money_moved(played: PlayedTranscript) -> list[dict[str, int]]:
    """Return the nonzero sums of each wager: paid, collected and returned."""
    settled = [each for state in played.rounds for each in settled_wagers(state)]
    every = [totals(wager.pieces) for wager in settled]
    words = ("paid", "collected", "returned")
    return [
        {word: sums[f"{word}_cents"] for word in words if sums[f"{word}_cents"]}
        for sums in every
    ]


def money_text(sums: Mapping[str, int]) -> str:
    told = ", ".join(f"{word} {write_cents(cents)}" for word, cents in sums.items())
    return told or "nothing moved"


@dataclass(frozen=True, slots=True)
class Observed:
    """The visible result of one transcript in one game."""

    answers: tuple[str, ...]
    """For each line the refusal, or an empty text if the act was taken."""
    rounds: tuple[str, ...]
    money: tuple[str, ...]
    cited: tuple[str, ...] = ()
    """The clauses that refused an act, ended a round or settled a wager."""

    @property
    def seen(self) -> object:
        """Return the result without clause numbers, which differ between documents."""
        taken = tuple(not each for each in self.answers)
        statuses = tuple(
            each if each.startswith("settled") else each.split()[0]
            for each in self.rounds
        )
        return taken, statuses, self.money

    @property
    def ending(self) -> str:
        return "; ".join([*self.rounds[-1:], *self.money])


def observe(game: Game, lines: Sequence[str]) -> Observed:
    """Play the lines: a line `round` begins each round, and limits come first.

    Empty lines are skipped.
    """
    limits = [each.removeprefix("limits ") for each in lines if _is_head(each)]
    rounds: list[list[TranscriptLine]] = []
    answers: dict[int, str] = {}
    for place, text in enumerate(lines):
        if not text or _is_head(text):
            continue
        if text == "round":
            rounds.append([])
            continue
        try:
            rounds[-1].append(read_line(game, text, place))
        except (TranscriptError, NotationError):
            answers[place] = ABSENT
    played = play(
        Transcript(game, read_limits(limits), rounds=tuple(map(tuple, rounds)))
    )
    for each in (line for whole in played.lines for line in whole):
        if isinstance(each.answer, Refusal):
            answers[each.line.number] = f"refused {each.answer.clause.number}"
    return Observed(
        tuple(answers.get(place, "") for place in range(len(lines))),
        tuple(round_endings(played)),
        tuple(map(money_text, money_moved(played))),
        _cited(played),
    )


def _cited(played: PlayedTranscript) -> tuple[str, ...]:
    standing = [each.standing.clause.number for each in played.rounds if each.standing]
    settled = [
        piece.clause
        for state in played.rounds
        for wager in settled_wagers(state)
        for piece in wager.pieces
    ]
    refused = [each.partition(" ")[2] for each in refusals(played)]
    return tuple(sorted({*standing, *settled, *refused}))


def _is_head(line: str) -> bool:
    return line.startswith("limits ")
