"""Bonus Numbers: the effect of a draw on the winning number (Fast Action 1.1).

Draws are counted, not sampled. A draw matters to the wagers by two things: the status
of the winning number, and whether the draw is a Scatter Bonus. Both follow from the
pattern of the links: how many numbers of the winning number's own link are lit, whether
it is one of them, and whether every other link has one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from math import comb

from msgspec import Struct

from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winning number and the lit Bonus Numbers."""

    winning_number: Number
    bonus_numbers: frozenset[Number] = frozenset()


def super_bonus_numbers(game: Game, drawn: frozenset[Number]) -> frozenset[Number]:
    """Return the numbers of all fully lit links (1.1.11, Appendix C)."""
    if not (game.provides(Rule.SUPER_BONUS) and game.provides(Rule.LINKS)):
        return frozenset()
    whole = [link for link in game.layout.links if drawn.issuperset(link)]
    return frozenset(number for link in whole for number in link)


def is_scatter(game: Game, drawn: frozenset[Number]) -> bool:
    """Return whether every link holds a Bonus Number (1.1.8)."""
    if not (game.provides(Rule.SCATTER) and game.provides(Rule.LINKS)):
        return False
    return all(not drawn.isdisjoint(link) for link in game.layout.links)


def status_of(game: Game, outcome: Outcome) -> Status:
    """Return the winning number's status; only the highest one counts."""
    if outcome.winning_number not in outcome.bonus_numbers:
        return Status.NON_BONUS
    supers = super_bonus_numbers(game, outcome.bonus_numbers)
    is_super = outcome.winning_number in supers
    return Status.SUPER_BONUS if is_super else Status.BONUS


def winning_areas(game: Game, outcome: Outcome) -> Mapping[str, int]:
    scatter = is_scatter(game, outcome.bonus_numbers)
    status = status_of(game, outcome)
    return paying_areas(game, outcome.winning_number, status, scatter)


@cache
def paying_areas(
    game: Game, number: Number, status: Status, scatter: bool
) -> Mapping[str, int]:
    """Return the areas that win on a number of this status, and their pay to one."""
    pays_now = {
        kind: pays if isinstance(pays, int) else pays[status]
        for kind, pays in game.pay_table.items()
    }
    by_status = {
        WagerType.BONUS_WIN: (Rule.BONUS_WIN, status is not Status.NON_BONUS),
        WagerType.SUPER_BONUS_WIN: (
            Rule.SUPER_BONUS_WIN,
            status is Status.SUPER_BONUS,
        ),
        WagerType.SCATTER_BONUS: (Rule.SCATTER_WIN, scatter),
    }

    def wins(area: BettingArea) -> bool:
        by_number = (Rule.WINS_BY_NUMBER, area.covers(number))
        rule, is_won = by_status.get(area.wager_type, by_number)
        return is_won and game.provides(rule)

    return {
        area.name: pays_now[area.wager_type]
        for area in game.areas
        if area.wager_type in pays_now and wins(area)
    }


class CountedDraws(Struct, frozen=True):
    """Draws that no wager can tell apart, at one winning number."""

    count: int
    example: frozenset[Number]
    """One of them."""
    status: Status
    scatter: bool


def draw_size(game: Game) -> int:
    """Return the number of Bonus Numbers in a round; 0 if the game draws none."""
    return game.row(Rule.BONUS_DRAW).amount if game.provides(Rule.BONUS_DRAW) else 0


def all_draws(game: Game) -> int:
    """Return the number of possible draws; 1 if the game draws none."""
    return comb(len(game.numbers), draw_size(game))


def count_draws(game: Game, winning: Number) -> tuple[CountedDraws, ...]:
    """Count the draws at this winning number, by its status and the Scatter Bonus."""
    counted: dict[tuple[Status, bool], CountedDraws] = {}
    for count, example in _patterns(game, winning):
        status = status_of(game, Outcome(winning, example))
        case = status, is_scatter(game, example)
        before = counted[case].count if case in counted else 0
        counted[case] = CountedDraws(before + count, example, *case)
    every = tuple(counted.values())
    assert sum(each.count for each in every) == all_draws(game)
    return every


def _patterns(game: Game, winning: Number) -> Iterator[tuple[int, frozenset[Number]]]:
    """Yield each possible pattern: its number of draws, and an example."""
    links = _links(game)
    own = next((link for link in links if winning in link), (winning,))
    others = [link for link in links if link is not own]
    linked = frozenset(chain(own, *others))
    free = [number for number in game.numbers if number not in linked]
    size = draw_size(game)
    companions = [number for number in own if number != winning]
    for lit in (False, True):
        for beside in range(min(len(companions), size - lit) + 1):
            here = [winning][:lit] + companions[:beside]
            ways = comb(len(companions), beside)
            for filled in (False, True):
                left = size - len(here)
                count = ways * _ways(others, len(free), left, filled=filled)
                if count:
                    rest = _example(others, free, left, filled=filled)
                    yield count, frozenset(here).union(rest)


def _links(game: Game) -> list[tuple[Number, ...]]:
    """Return the links, without numbers that the wheel lacks; links never overlap."""
    known = frozenset(game.numbers)
    links = [tuple(n for n in link if n in known) for link in game.layout.links]
    assert len(list(chain(*links))) == len(frozenset(chain(*links)))
    return links


def _ways(
    links: Sequence[Sequence[Number]], free: int, lit: int, *, filled: bool
) -> int:
    """Count the ways to light `lit` numbers with every link filled, or one empty."""
    sizes = tuple(sorted(map(len, links)))
    every = _ways_filled(sizes, free, lit)
    return every if filled else comb(sum(sizes) + free, lit) - every


@cache
def _ways_filled(sizes: tuple[int, ...], free: int, lit: int) -> int:
    """Count the ways to light `lit` numbers with at least one in each link."""
    if not sizes:
        return comb(free, lit)
    first, *rest = sizes
    return sum(
        comb(first, here) * _ways_filled(tuple(rest), free, lit - here)
        for here in range(1, min(first, lit) + 1)
    )


def _example(
    links: Sequence[Sequence[Number]],
    free: Sequence[Number],
    lit: int,
    *,
    filled: bool,
) -> list[Number]:
    """Return numbers that fill every link, or that leave the smallest link empty."""
    if filled:
        firsts = [link[0] for link in links]
        others = [n for link in links for n in link[1:]]
        return [*firsts, *others, *free][:lit]
    smallest = min(links, key=len)
    kept = [n for link in links if link is not smallest for n in link]
    return [*kept, *free][:lit]
