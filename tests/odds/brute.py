"""Results of wagers by enumeration: from the oracle's pay tables, or played out.

Nothing here asks `croupier.odds`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

from croupier.rules import commands as do
from croupier.rules.bonus import Outcome
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.terms import Limits
from tests.rules import oracle
from tests.rules.tables import DEALER, RNG, Chips, Table

TABLE_GAMES = oracle.TABLE_GAMES


def net_by_number(game: str, pieces: Mapping[str, int]) -> dict[str, int]:
    """For each number what the pieces win, less what they lose, by the oracle."""
    found = {}
    for number in oracle.NUMBERS[game]:
        pays = oracle.pays_at(game, number)
        found[number] = sum(
            -stake if pays[area] is None else stake * (pays[area] or 0)
            for area, stake in pieces.items()
        )
    return found


def chances(values: Iterable[int]) -> dict[int | Fraction, Fraction]:
    """The probability of each of some equally likely values."""
    every = list(values)
    return {value: Fraction(every.count(value), len(every)) for value in set(every)}


def played_net(
    game: Game, chips: Sequence[Chips], limits: Limits, outcome: Outcome
) -> int:
    """A Player's net result of a round played through the core, act by act."""
    table = Table(game, limits)
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    for each in chips:
        table.lay(each)
    table.do(DEALER, do.SpinBall())
    table.do(DEALER, do.NoMoreBets())
    if game.provides(Rule.BONUS_DRAW):
        table.do(RNG, do.DrawBonusNumbers(tuple(outcome.bonus_numbers)))
    table.do(DEALER, do.AnnounceOutcome(outcome.winning_number))
    table.do(DEALER, do.Settle())
    settled = table.current.settled
    assert settled is not None
    return sum(
        piece.paid_cents - piece.collected_cents
        for wager in settled.wagers
        for piece in wager.pieces
    )
