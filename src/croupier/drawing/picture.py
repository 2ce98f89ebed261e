"""The content of one picture of a table, gathered before drawing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from croupier.drawing.chips import DrawnChips, Heap, heaps
from croupier.drawing.geometry import Box, Plane
from croupier.drawing.theme import Palette
from croupier.errors import CroupierError
from croupier.rules.bonus import Outcome, status_of, super_bonus_numbers
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.wheel import Number


class NotOnLayout(CroupierError, LookupError):
    """The game has no such betting area, or no such number."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A game's table with its chips, lights and outcome."""

    game: Game
    plane: Plane
    palette: Palette
    heaps: Mapping[str, Heap]
    straight_ups: frozenset[Number]
    """The numbers with chips in their cell."""
    winning_number: Number | None
    lit: frozenset[Number]
    """The Bonus Numbers, in a game that draws them."""
    supers: frozenset[Number]
    """The numbers of fully lit links."""

    def box_of(self, number: Number) -> Box:
        return self.plane.box(self.game.layout.cells[number])

    @property
    def numbers(self) -> tuple[Number, ...]:
        cells = self.game.layout.cells
        return tuple(number for number in self.game.numbers if number in cells)

    @property
    def box_areas(self) -> tuple[BettingArea, ...]:
        boxes = self.game.layout.boxes
        return tuple(area for area in self.game.areas if area.name in boxes)

    @property
    def has_links(self) -> bool:
        return self.game.provides(Rule.LINKS) and bool(self.game.layout.links)


def picture_of(
    game: Game,
    plane: Plane,
    palette: Palette,
    *,
    chips: Sequence[DrawnChips],
    winning_number: Number | None,
    bonus_numbers: Collection[Number],
) -> Picture:
    """Gather the contents; raise `NotOnLayout` for an unknown area or number."""
    _require(game.area_by_name, (each.area for each in chips))
    drawn = bonus_numbers if game.provides(Rule.BONUS_DRAW) else ()
    lit = frozenset(drawn)
    _require(game.numbers, lit)
    if winning_number is not None:
        _require(game.numbers, [winning_number])
    return Picture(
        game=game,
        plane=plane,
        palette=palette,
        heaps={heap.area: heap for heap in heaps(chips)},
        straight_ups=_straight_ups(game, chips),
        winning_number=winning_number,
        lit=lit,
        supers=super_bonus_numbers(game, lit),
    )


def _straight_ups(game: Game, chips: Sequence[DrawnChips]) -> frozenset[Number]:
    areas = [game.area_by_name[each.area] for each in chips]
    return frozenset(
        number
        for area in areas
        if area.wager_type is WagerType.STRAIGHT_UP
        for number in area.numbers
    )


def _require(known: Collection[str], asked: Iterable[str]) -> None:
    for name in asked:
        if name not in known:
            raise NotOnLayout(f"there is no {name[:60]!r} on this layout")


def pays_when_lit(picture: Picture, number: Number) -> int | None:
    """Return a straight-up's pay on a lit number, or None if lights don't matter."""
    pays = picture.game.pay_table.get(WagerType.STRAIGHT_UP)
    if pays is None or isinstance(pays, int) or number not in picture.lit:
        return None
    return pays[status_of(picture.game, Outcome(number, picture.lit))]


def status_words(picture: Picture) -> str:
    """Return `Bonus Number`, `Super Bonus Number` or an empty text."""
    if picture.winning_number is None:
        return ""
    status = status_of(picture.game, Outcome(picture.winning_number, picture.lit))
    return _STATUS_WORDS[status]


_STATUS_WORDS = {
    Status.NON_BONUS: "",
    Status.BONUS: "Bonus Number",
    Status.SUPER_BONUS: "Super Bonus Number",
}
