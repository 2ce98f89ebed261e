"""What the figures rest on: the clauses of the document and the readings of ours."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from croupier.games.readings import READINGS
from croupier.odds.chips import Terms
from croupier.rules.clause import Rule
from croupier.rules.game import Complete, Finales, Game, Neighbours
from croupier.rules.layout import WagerType


@dataclass(frozen=True, slots=True)
class Source:
    """A clause or a reading, and what it says in our words."""

    number: str
    says: str


_RULES = frozenset(
    {
        Rule.NUMBERS,
        Rule.LAYOUT,
        Rule.BETTING_AREA,
        Rule.MULTIPLE_PIECE,
        Rule.RACETRACK,
        Rule.COMPLETE,
        Rule.PAY_TABLE,
        Rule.WINS_BY_NUMBER,
        Rule.ZERO,
        Rule.BONUS_DRAW,
        Rule.BONUS_WIN,
        Rule.SCATTER,
        Rule.SCATTER_WIN,
        Rule.SUPER_BONUS,
        Rule.SUPER_BONUS_WIN,
        Rule.LINKS,
    }
)
"""The rules that decide what can be wagered, what wins and what is paid."""
_LIMIT_RULES = frozenset({Rule.LIMITS, Rule.UNDER_MINIMUM, Rule.OVER_MAXIMUM})


def clauses_used(game: Game, terms: Terms) -> tuple[Source, ...]:
    """The document's clauses that decide what wins and what it pays, in its order."""
    rules = _RULES | _LIMIT_RULES if _are_limited(terms) else _RULES
    return tuple(
        Source(row.number, row.says)
        for row in game.clauses
        if not rules.isdisjoint(row.rules)
    )


def _are_limited(terms: Terms) -> bool:
    return bool(terms.limits.general or terms.limits.by_type)


def readings_used(game: Game, terms: Terms) -> tuple[Source, ...]:
    """The readings that the figures of this game, at these terms, depend on."""
    limited = _are_limited(terms)
    return tuple(
        Source(reading.id, reading.answer)
        for reading in READINGS
        if (reading.id in _AT_LIMITS and limited and _AT_LIMITS[reading.id](game))
        or (reading.id in _USED_BY and _USED_BY[reading.id](game))
    )


_Asks = Callable[[Game], bool]


def _has_type(wager_type: WagerType) -> _Asks:
    return lambda game: any(a.wager_type is wager_type for a in game.areas)


def _has_area(name: str) -> _Asks:
    return lambda game: name in game.area_by_name


def _has_multiple(*kinds: type) -> _Asks:
    return lambda game: any(isinstance(m, kinds) for _, m in game.multiples.values())


_USED_BY: dict[str, _Asks] = {
    "A1": _has_area("corner:0/1/2/3"),
    "A2": _has_type(WagerType.EVEN),
    "A3": _has_type(WagerType.RED),
    "A4": lambda game: "voisins_du_zero" in game.multiples,
    "A5": _has_multiple(Neighbours),
    "A6": _has_multiple(Complete),
    "A7": _has_multiple(Complete),
    "A15": lambda game: game.provides(Rule.BONUS_DRAW),
    "A16": _has_area("street:0/00/000"),
    "A17": _has_area("street:0/00/000"),
    "A18": _has_type(WagerType.GREEN),
    "A19": _has_multiple(Finales),
    "A23": _has_multiple(Neighbours),
    "A24": lambda _: True,
    "W1": lambda game: "ring" in game.settings,
    "S1": lambda game: "MBS" in game.numbers,
}
_AT_LIMITS: dict[str, _Asks] = {
    "A8": lambda _: True,
    "A9": lambda game: game.provides(Rule.UNDER_MINIMUM),
    "A10": lambda game: game.provides(Rule.OVER_MAXIMUM),
    "A11": lambda _: True,
}
