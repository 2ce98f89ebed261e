"""Faults of a game's data, found before the game is played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from enum import unique
from fractions import Fraction

from croupier.rules.bonus import Outcome, all_draws, count_draws, winning_areas
from croupier.rules.game import FixedPieces, Game, Neighbours, Status
from croupier.rules.layout import WagerType
from croupier.rules.operator import Role
from croupier.rules.reasons import Reason, ReasonCode
from croupier.rules.wheel import Number, list_numbers

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_MACHINES = frozenset({Role.RNG, Role.SYSTEM})
"""They act without a position."""


@unique
class GameFault(ReasonCode):
    """A fault of a game's data."""

    NAME = "its name {text} is not words of small letters and digits, joined by -"
    DATE = "it takes effect on {text}, which is no day such as 2020-01-31"
    NO_POSITIONS = "its operator has no positions"
    NO_NUMBERS = "no row has its numbers"
    NUMBERS_TWICE = "its numbers have {numbers} more than once"
    RING_LACKS = "its ring lacks {numbers}"
    RING_HAS = "its ring has {numbers}, which no row has"
    RING_TWICE = "its ring has {numbers} more than once"
    NO_CELL = "its layout has no cell for {numbers}"
    BOX_HAS = "its {box} covers {numbers}, which no row has"
    NO_AREAS = "no row has betting areas that its layout gives"
    NOT_PAID = "no pay table has {kinds}, on which chips may lie"
    NEVER_LAID = "a pay table has {kinds}, on which no chip may lie"
    PAID_BADLY = "{kind} pays {text}, which is no whole number of at least 1"
    PIECES_UNKNOWN = "clause {number}: {word} has pieces on {areas}, which are no areas"
    RADIUS = "clause {number}: a neighbour {radius} away is too far on this ring"
    CLAUSE_TWICE = "clause {number} has two rows"
    BY_NOBODY = "clause {number} is for a {role}, who is no position of its operator"
    NEVER_WINS = "{area} covers nothing: its house edge is {edge}"
    ALWAYS_WINS = "{area} covers everything: its house edge is {edge}"
    FAVOURS_PLAYER = "{area} favours the Player: its house edge is {edge}"


def game_faults(game: Game) -> list[Reason]:
    """Return every fault of a game's data; house edges only if the rest is sound."""
    faults = [
        *_head(game),
        *_wheel(game),
        *_areas(game),
        *_rows(game),
        *_multiples(game),
    ]
    return faults or [*_edges(game)]


def _head(game: Game) -> Iterator[Reason]:
    if not _NAME.fullmatch(game.name):
        yield GameFault.NAME(text=repr(game.name))
    try:
        date.fromisoformat(game.effective)
    except ValueError:
        yield GameFault.DATE(text=repr(game.effective))
    if not game.operator.ladder:
        yield GameFault.NO_POSITIONS()


def _wheel(game: Game) -> Iterator[Reason]:
    known, ring = frozenset(game.numbers), frozenset(game.ring)
    if not known:
        yield GameFault.NO_NUMBERS()
    found = (
        (GameFault.NUMBERS_TWICE, _repeated(game.numbers)),
        (GameFault.RING_LACKS, known - ring),
        (GameFault.RING_HAS, ring - known),
        (GameFault.RING_TWICE, _repeated(game.ring)),
        (GameFault.NO_CELL, known - game.layout.cells.keys()),
    )
    for fault, numbers in found:
        if numbers:
            yield fault(numbers=list_numbers(numbers))
    for box, covered in game.layout.box_numbers.items():
        if unknown := frozenset(covered) - known:
            yield GameFault.BOX_HAS(box=box, numbers=list_numbers(unknown))


def _repeated(some: Iterable[Number]) -> frozenset[Number]:
    return frozenset(number for number, count in Counter(some).items() if count > 1)


def _areas(game: Game) -> Iterator[Reason]:
    laid = {area.wager_type for area in game.areas}
    paid = game.pay_table
    if not laid:
        yield GameFault.NO_AREAS()
    for fault, kinds in (
        (GameFault.NOT_PAID, laid - paid.keys()),
        (GameFault.NEVER_LAID, paid.keys() - laid),
    ):
        if kinds:
            yield fault(kinds=", ".join(sorted(kind.value for kind in kinds)))
    for kind, pays in paid.items():
        amounts: list[object] = (
            [pays.get(status, "nothing") for status in Status]
            if isinstance(pays, Mapping)
            else [pays]
        )
        if not all(map(_is_paid, amounts)):
            text = ", ".join(map(str, amounts))
            yield GameFault.PAID_BADLY(kind=kind.value, text=text)


def _is_paid(amount: object) -> bool:
    return type(amount) is int and amount >= 1


def _rows(game: Game) -> Iterator[Reason]:
    names = Counter(row.number for row in game.clauses)
    for number, count in names.items():
        if count > 1:
            yield GameFault.CLAUSE_TWICE(number=number)
    for row in game.clauses:
        for role in row.by:
            if role not in game.operator.ladder and role not in _MACHINES:
                yield GameFault.BY_NOBODY(number=row.number, role=role.value)


def _multiples(game: Game) -> Iterator[Reason]:
    for row, multiple in game.multiples.values():
        match multiple:
            case FixedPieces(word, areas):
                unknown = [each for each in areas if each not in game.area_by_name]
                if unknown:
                    yield GameFault.PIECES_UNKNOWN(
                        number=row.number, word=word, areas=", ".join(unknown)
                    )
            case Neighbours(radii):
                for radius in radii:
                    if not 0 < 2 * radius < len(game.ring):
                        yield GameFault.RADIUS(number=row.number, radius=radius)


def _edges(game: Game) -> Iterator[Reason]:
    """Yield each fault of a house edge once per wager type, with an example."""
    won: Counter[str] = Counter()
    returned: Counter[str] = Counter()
    for number in game.numbers:
        for draws in count_draws(game, number):
            outcome = Outcome(number, draws.example)
            for name, pays in winning_areas(game, outcome).items():
                won[name] += draws.count
                returned[name] += draws.count * (pays + 1)
    every = len(game.numbers) * all_draws(game)
    found: dict[tuple[GameFault, WagerType], Reason] = {}
    for area in game.areas:
        edge = 1 - Fraction(returned[area.name], every)
        for fault, is_so in (
            (GameFault.NEVER_WINS, not won[area.name]),
            (GameFault.ALWAYS_WINS, won[area.name] == every),
            (GameFault.FAVOURS_PLAYER, edge < 0),
        ):
            if is_so:
                told = fault(area=area.name, edge=str(edge))
                found.setdefault((fault, area.wager_type), told)
                break
    yield from found.values()
