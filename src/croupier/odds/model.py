"""A model: a game, how likely each of its compartments is, and the cases of a round.

A case is a set of outcomes that every wager takes alike, with its weight. Bonus draws
are counted, not sampled. A draw matters to the wagers by two things: the status of the
winning number, and whether the draw is a Scatter Bonus (Fast Action 1.1). Both follow
from the pattern of the links: how many numbers of the winning number's own link are
lit, whether it is one of them, and whether every other link has one. Patterns are
counted here; what a pattern means is asked of the rules, with one draw that has it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import chain
from math import comb, lcm
from typing import Any

from msgspec import Struct

from croupier.games import as_game
from croupier.rules.bonus import Outcome, is_scatter, status_of, winning_areas
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status
from croupier.rules.wheel import Number

NO_APPROVED_GAME = "no approved game"
"""Stands wherever figures are shown that are not those of a document."""


class Model(Struct, frozen=True, eq=False):
    """A game with a whole-number weight for each number, and what was changed in it."""

    game: Game
    weights: Mapping[Number, int]
    changes: tuple[str, ...] = ()
    """The changes of a what-if, in words; none in an approved game."""
    title: str = ""
    """The title of the what-if, by whoever wrote it."""
    based_on: str = ""
    """The name of the game that was changed."""

    def __repr__(self) -> str:
        return f"<Model of {self.game.name}>"

    @property
    def is_approved(self) -> bool:
        return not self.changes

    @property
    def total_weight(self) -> int:
        return sum(self.weights.values())

    @property
    def has_equal_chances(self) -> bool:
        return len(set(self.weights.values())) == 1

    def document(self) -> dict[str, Any]:
        """Return for JSON which game this is, and whether it is an approved one."""
        named = {"game": self.game.name, "document": self.game.document}
        if self.is_approved:
            return {**named, "effective": self.game.effective, "approved": True}
        return {
            **named,
            "effective": None,
            "approved": False,
            "label": NO_APPROVED_GAME,
            "based_on": self.based_on,
            "title": self.title,
            "changes": list(self.changes),
        }

    def chance(self, number: Number) -> Fraction:
        """Return the probability that the ball comes to rest at the number."""
        return Fraction(self.weights[number], self.total_weight)


def model_of(game: str | Game | Model) -> Model:
    """Return the model of a game, which is given by its name or itself, or as a model.

    Raises `UnknownGame` for a name that there is not.
    """
    if isinstance(game, Model):
        return game
    return _as_approved(as_game(game))


@cache
def _as_approved(game: Game) -> Model:
    """Return every compartment as likely as any other (readings A24)."""
    return Model(game, dict.fromkeys(game.numbers, 1))


def whole_weights(weights: Mapping[Number, Fraction]) -> Mapping[Number, int]:
    """Return the same proportions in whole numbers."""
    common = lcm(*(weight.denominator for weight in weights.values()))
    return {number: int(weight * common) for number, weight in weights.items()}


class CountedDraws(Struct, frozen=True):
    """Draws that no wager can tell apart, at one winning number."""

    count: int
    example: frozenset[Number]
    """One of them."""
    status: Status
    scatter: bool


def draw_size(game: Game) -> int:
    """Return how many Bonus Numbers a round has; 0 where the game draws none."""
    return game.row(Rule.BONUS_DRAW).amount if game.provides(Rule.BONUS_DRAW) else 0


def all_draws(game: Game) -> int:
    """Return how many draws there are; one, of nothing, where the game draws none."""
    return comb(len(game.numbers), draw_size(game))


def count_draws(game: Game, winning: Number) -> tuple[CountedDraws, ...]:
    """Return every draw of the game at this winning number, put together by case."""
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
    """Yield each pattern that occurs: how many draws have it, and one of them."""
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
    """Return the links as far as the wheel has their numbers; no number is in two."""
    known = frozenset(game.numbers)
    links = [tuple(n for n in link if n in known) for link in game.layout.links]
    assert len(list(chain(*links))) == len(frozenset(chain(*links)))
    return links


def _ways(
    links: Sequence[Sequence[Number]], free: int, lit: int, *, filled: bool
) -> int:
    """Count the ways to light so many with every link filled, or with one empty."""
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
    """Return numbers that fill every link, or leave the smallest empty to have room."""
    if filled:
        firsts = [link[0] for link in links]
        others = [n for link in links for n in link[1:]]
        return [*firsts, *others, *free][:lit]
    smallest = min(links, key=len)
    kept = [n for link in links if link is not smallest for n in link]
    return [*kept, *free][:lit]


class Case(Struct, frozen=True):
    """A winning number with every draw of Bonus Numbers that counts alike for it."""

    outcome: Outcome
    """One of these outcomes."""
    weight: int
    """Out of `total_weight(model)`."""
    status: Status
    scatter: bool
    winning: Mapping[str, int]
    """The areas that win, with what they pay to one."""

    @property
    def number(self) -> Number:
        return self.outcome.winning_number

    @property
    def name(self) -> str:
        """`17`; in a game that draws Bonus Numbers also `17 bonus`, `17 scatter`."""
        words = [self.number]
        if self.status is not Status.NON_BONUS:
            words.append(Number(self.status.value))
        return " ".join([*words, "scatter"] if self.scatter else words)


def total_weight(model: Model) -> int:
    """Return all the outcomes: compartments by their weights, times draws."""
    return model.total_weight * all_draws(model.game)


def chance_of(model: Model, case: Case) -> Fraction:
    return Fraction(case.weight, total_weight(model))


@lru_cache(maxsize=64)
def cases_of(model: Model) -> tuple[Case, ...]:
    """Return every case that can come up, numbers in layout order."""
    game = model.game
    cases: list[Case] = []
    for number in game.numbers:
        for draws in count_draws(game, number):
            outcome = Outcome(number, draws.example)
            weight = model.weights[number] * draws.count
            winning = winning_areas(game, outcome)
            case = Case(outcome, weight, draws.status, draws.scatter, winning)
            cases.append(case)
    assert sum(case.weight for case in cases) == total_weight(model)
    return tuple(case for case in cases if case.weight)
