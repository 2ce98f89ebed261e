"""What the House would pay at each outcome, for what lies on a layout now; pure.

It looks at what is on each area, over all Players: chips beyond the limits, which a
settlement would cut (v3 5.15, 5.16), count in full, so the figure is never too low.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.round import RoundOfPlay
from croupier.rules.wheel import Number


def exposure_at(current: RoundOfPlay) -> dict[Number, int]:
    """By number, what the House pays less what it collects, in cents, at worst."""
    on_area: dict[str, int] = {}
    for (_, area), cents in current.board.player_cents.items():
        on_area[area] = on_area.get(area, 0) + cents
    drawn = current.facts.bonus_numbers
    game, staked = current.game, sum(on_area.values())
    return {
        number: max(
            _net(winning_areas(game, outcome), on_area, staked)
            for outcome in _outcomes(game, number, drawn)
        )
        for number in game.numbers
    }


def _net(pays: Mapping[str, int], on_area: Mapping[str, int], staked: int) -> int:
    paid = sum(cents * pays[area] for area, cents in on_area.items() if area in pays)
    kept = sum(cents for area, cents in on_area.items() if area in pays)
    return paid - (staked - kept)


def _outcomes(
    game: Game, number: Number, drawn: tuple[Number, ...] | None
) -> Iterator[Outcome]:
    """Yield the number with the draw that was made, or with each kind of draw."""
    if drawn is not None:
        yield Outcome(number, frozenset(drawn))
    else:
        for draw in _kinds_of_draw(game, number):
            yield Outcome(number, draw)


@cache
def _kinds_of_draw(game: Game, number: Number) -> tuple[frozenset[Number], ...]:
    """None of it lit; its link lit whole; one of every link, its own among them."""
    if not game.provides(Rule.BONUS_DRAW):
        return (frozenset(),)
    links = game.layout.links
    whole = frozenset(n for link in links if number in link for n in link)
    scattered = frozenset(number if number in link else min(link) for link in links)
    apart = frozenset(next(n for n in sorted(link) if n != number) for link in links)
    return frozenset(), whole, scattered, apart
