"""Acts in the words of a transcript, read for a table of the house."""

from __future__ import annotations

import re

from croupier.house.record import NotDone
from croupier.rules import commands as do
from croupier.rules.game import Game
from croupier.rules.notation import NotationError, read_cents
from croupier.table import commands as ask
from croupier.transcript.acts import read_act
from croupier.transcript.words import ActReader, TranscriptError, split_line

_ADJUST = re.compile(
    r'adjust (?:"(?P<quoted>[^"]{1,40})"|(?P<seat>[^\s"]{1,40}))'
    r" (?P<sum>-?[0-9.]+) (?P<why>.{1,200})"
)


def read_act_of(game: Game, text: str, player: str | None = None) -> do.Command:
    """The command; raises `NotDone` with the sentence that a transcript would get."""
    try:
        return read_act(ActReader(game, player), split_line(text, 1)).command
    except TranscriptError as error:
        raise NotDone(error.message) from error


def read_two_person_act(game: Game, text: str) -> ask.TwoPersonCommand:
    """`correct round 3 to 17`, `void rounds 2 3 ball_broke`, `adjust "SEAT" 5 REASON`.

    A seat's name without spaces needs no quotes.
    """
    match = _ADJUST.fullmatch(text)
    if match is not None:
        seat = match["quoted"] or match["seat"]
        return ask.Adjust(seat, _signed(match["sum"]), match["why"])
    command = read_act_of(game, text)
    if isinstance(command, do.CorrectOutcome | do.VoidRounds):
        return command
    raise NotDone("that act does not need two people")


def _signed(text: str) -> int:
    try:
        cents = read_cents(text.removeprefix("-"))
    except NotationError as error:
        raise NotDone(str(error)) from error
    return -cents if text.startswith("-") else cents
