"""Bonus Numbers: what a draw makes of the winning number (Fast Action 1.1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class Outcome:
    """The winning number, and the Bonus Numbers that were lit."""

    winning_number: Number
    bonus_numbers: frozenset[Number] = frozenset()


def super_bonus_numbers(game: Game, drawn: frozenset[Number]) -> frozenset[Number]:
    """Return the numbers of every link that is lit whole (1.1.11, Appendix C)."""
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
    """Return the winning number's status: the highest one counts alone."""
    if outcome.winning_number not in outcome.bonus_numbers:
        return Status.NON_BONUS
    supers = super_bonus_numbers(game, outcome.bonus_numbers)
    is_super = outcome.winning_number in supers
    return Status.SUPER_BONUS if is_super else Status.BONUS


def winning_areas(game: Game, outcome: Outcome) -> Mapping[str, int]:
    """Return the areas that win at this outcome, with what they pay to one."""
    scatter = is_scatter(game, outcome.bonus_numbers)
    status = status_of(game, outcome)
    return paying_areas(game, outcome.winning_number, status, scatter)


@cache
def paying_areas(
    game: Game, number: Number, status: Status, scatter: bool
) -> Mapping[str, int]:
    """Return the areas that win on a number of this status, and what they pay."""
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
