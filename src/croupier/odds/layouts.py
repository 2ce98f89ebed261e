"""Chips on a layout: the rules judge them when laid and settle them in every case.

Only `rules.settlement` pays here. So the limits apply as at a table, including 5.15 and
5.16 of v3 (5.16 and 5.17 of Fast Action) for chips outside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import reduce

from croupier.odds.chips import Chips, LayoutTerms, chips_of, read_terms
from croupier.odds.distribution import Distribution
from croupier.odds.model import Case, Model, cases_of, model_of
from croupier.rules.board import Board
from croupier.rules.bonus import Outcome
from croupier.rules.buckets import BucketMap, changed
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.commands import PlaceWager
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.game import Game, Settings
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.placement import place_together
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.settlement import settle
from croupier.rules.terms import Limits


def lay_chips(game: Game, chips: Iterable[Chips], terms: LayoutTerms) -> RoundOfPlay:
    """Return a round with the chips on its layout; raise `WagerRefused`.

    The limits apply to the sum of a Player's chips on each area, in any order.
    """
    caps_areas = bool(terms.settings.area_maximum_cents)
    state = RoundOfPlay(
        game,
        limits=terms.limits,
        settings=terms.settings,
        warned=terms.warned,
        phase=Phase.BETTING,
        board=Board(area_cents=BucketMap() if caps_areas else None),
    )
    electronic = terms.electronic(game)
    verdict = place_together(
        state,
        [
            (
                Person(each.player, Role.PLAYER),
                PlaceWager(
                    f"w{place}",
                    each.player,
                    read_wager(each.wager, game.multiples, game.numbers),
                    each.stake_cents,
                    electronic=electronic,
                ),
            )
            for place, each in enumerate(chips, start=1)
        ],
    )
    if isinstance(verdict, Refusal):
        raise WagerRefused(verdict)
    return reduce(apply, verdict, state)


def settled_at(state: RoundOfPlay, outcome: Outcome) -> RoundSettled:
    """Settle the round at this outcome."""
    drawn = tuple(outcome.bonus_numbers)
    facts = replace(state.facts, closed=True, bonus_numbers=drawn)
    return settle(
        changed(
            state,
            phase=Phase.DECIDED,
            facts=facts,
            winning_number=outcome.winning_number,
        )
    )


def settled_cases(
    model: Model, state: RoundOfPlay
) -> Iterator[tuple[RoundSettled, list[Case]]]:
    """Yield each distinct settlement of the round, with its cases."""
    laid = {area.name for wager in state.board.in_order() for area in wager.areas}
    alike: dict[tuple[int | None, ...], list[Case]] = {}
    for case in cases_of(model):
        paid = tuple(case.winning.get(name) for name in laid)
        alike.setdefault(paid, []).append(case)
    for together in alike.values():
        yield settled_at(state, together[0].outcome), together


def pieces_of(settled: RoundSettled) -> tuple[SettledPiece, ...]:
    return tuple(piece for wager in settled.wagers for piece in wager.pieces)


def net_cents(pieces: Iterable[SettledPiece]) -> int:
    return sum(piece.paid_cents - piece.collected_cents for piece in pieces)


def round_result(
    game: str | Game | Model,
    wagers: str | Iterable[str | Chips],
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
    warned: bool = False,
) -> Distribution:
    """Return the exact distribution of a Player's net result in cents after one round.

    `laid` is True for chips on the layout and False for electronic placing; the game
    decides by default. `warned`: an under-minimum wager of the Player has already stood
    once (A9). Raises `WagerRefused` if the rules refuse a wager, and `NotationError`
    for text that is no wager.
    """
    model = model_of(game)
    terms = read_terms(
        model.game, limits=limits, settings=settings, laid=laid, warned=warned
    )
    state = lay_chips(model.game, chips_of(wagers), terms)
    return Distribution.of_weights(
        (net_cents(pieces_of(settled)), sum(case.weight for case in cases))
        for settled, cases in settled_cases(model, state)
    )
