"""Find a wager in a game: its name, and the area of each piece."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.game import (
    Complete,
    CompleteDozen,
    Finales,
    FinaleZero,
    FixedPieces,
    Game,
    MultiplePiece,
    Neighbours,
    Settings,
)
from croupier.rules.layout import INSIDE, BettingArea, WagerType
from croupier.rules.notation import AreaText, MultipleText, WagerText, cut
from croupier.rules.reasons import Reason, RuleReason, did_you_mean
from croupier.rules.wheel import LAYOUT_ORDER, Number, layout_rank, neighbours


class Placement(Struct, frozen=True):
    """A wager as the game knows it: its name and the area of each piece."""

    name: str
    areas: tuple[BettingArea, ...]
    multiple: MultiplePiece | None = None

    @property
    def is_complete(self) -> bool:
        return isinstance(self.multiple, Complete)

    @property
    def is_at_maximum(self) -> bool:
        return isinstance(self.multiple, Complete) and self.multiple.at_maximum


def find_placement(
    game: Game, settings: Settings, text: WagerText
) -> Placement | Refusal:
    """Return the wager of these words, or a refusal that cites the list without it."""
    if isinstance(text, MultipleText):
        return _find_multiple(game, settings, text)
    area = _find_area(game, text)
    if area is None:
        return Refusal(game.clause(Rule.WAGER_LIST), _no_such_area(game, text))
    return Placement(area.name, (area,))


def _find_area(game: Game, text: AreaText) -> BettingArea | None:
    if text.wager_type is not None:
        return game.area_by_name.get(text.name)
    return game.area_by_numbers.get(frozenset(text.numbers))


def _no_such_area(game: Game, text: AreaText) -> Reason:
    reason = RuleReason.NO_BETTING_AREA(game=game.title, area=cut(text.name))
    close = _closest(game, text)
    return did_you_mean(
        _naming_numbers(game, reason, text.numbers), close.name if close else None
    )


def _naming_numbers(game: Game, reason: Reason, words: Sequence[str]) -> Reason:
    is_lacking = set(words).intersection(LAYOUT_ORDER).difference(game.numbers)
    return game.naming_numbers(reason) if is_lacking else reason


def _closest(game: Game, text: AreaText) -> BettingArea | None:
    """Return the area of this type and size that shares most of the numbers."""
    wanted = text.numbers
    alike = [
        area
        for area in game.areas
        if area.numbers.intersection(wanted)
        and len(area.numbers) == len(wanted)
        and text.wager_type in {None, area.wager_type}
    ]

    def distance(area: BettingArea) -> tuple[int, bool, int]:
        ranks = sorted(layout_rank(number) for number in area.numbers)
        apart = zip(ranks, map(layout_rank, wanted), strict=True)
        return (
            -len(area.numbers.intersection(wanted)),
            wanted[0] not in area.numbers,
            sum(abs(one - other) for one, other in apart),
        )

    return min(alike, key=distance, default=None)


def _find_multiple(
    game: Game, settings: Settings, text: MultipleText
) -> Placement | Refusal:
    found = game.multiples.get(text.word)
    refusal = Refusal(
        _clause_of_list(game, text),
        RuleReason.NO_SUCH_WAGER(game=game.title, wager=text.name),
    )
    if found is None:
        return refusal
    _, multiple = found
    offered = Rule.COMPLETE if isinstance(multiple, Complete) else Rule.RACETRACK
    if not game.provides(offered):
        return refusal
    areas = _pieces(game, settings, multiple, text.arguments)
    if not areas:
        reason = _naming_numbers(game, refusal.reason, text.arguments)
        return Refusal(refusal.clause, reason)
    name = _canonical(multiple, text)
    return Placement(name, tuple(sorted(areas, key=lambda a: a.order)), multiple)


_COMPLETE_WORDS = frozenset({"complete", "complete_maximum"})


def _clause_of_list(game: Game, text: MultipleText) -> Clause:
    """Cite the list that lacks the wager: complete, racetrack, or all wagers."""
    own = Rule.COMPLETE if text.word in _COMPLETE_WORDS else Rule.RACETRACK_LIST
    return game.clause(own if game.provides(own) else Rule.WAGER_LIST)


def _canonical(multiple: MultiplePiece, text: MultipleText) -> str:
    if not isinstance(multiple, Neighbours):
        return text.name
    centre = text.arguments[0]
    if len(multiple.radii) == 1:
        return f"{text.word}:{centre}"
    radius = text.arguments[1:] or (str(multiple.usual_radius),)
    return f"{text.word}:{centre}:{radius[0]}"


def _pieces(
    game: Game,
    settings: Settings,
    multiple: MultiplePiece,
    arguments: tuple[str, ...],
) -> Sequence[BettingArea]:
    """Return the area of each piece; none if the game has no such wager."""
    match multiple:
        case FixedPieces(areas=names):
            return _named(game, names) if not arguments else ()
        case Neighbours():
            around = _neighbours(game, settings, multiple, arguments)
            return _straight_ups(game, around)
        case Complete():
            return _complete(game, settings, arguments)
        case Finales():
            return _straight_ups(game, _finale(game, settings, arguments))


def _named(game: Game, names: Sequence[str]) -> Sequence[BettingArea]:
    areas = [game.area_by_name.get(name) for name in names]
    known = [area for area in areas if area is not None]
    return known if len(known) == len(names) else ()


def _straight_ups(game: Game, some: Sequence[Number]) -> Sequence[BettingArea]:
    return _named(game, [f"{WagerType.STRAIGHT_UP.value}:{n}" for n in some])


def _neighbours(
    game: Game, settings: Settings, multiple: Neighbours, arguments: tuple[str, ...]
) -> Sequence[Number]:
    centre, *rest = arguments or ("",)
    radius = rest[0] if rest else str(multiple.usual_radius)
    radii = {str(each): each for each in multiple.radii}
    if centre not in game.numbers or radius not in radii or len(rest) > 1:
        return ()
    ring = settings.ring or game.ring
    return neighbours(ring, Number(centre), radii[radius])


def _finale(
    game: Game, settings: Settings, arguments: tuple[str, ...]
) -> Sequence[Number]:
    if len(arguments) != 1 or arguments[0] not in set("0123456789"):
        return ()
    last = arguments[0]
    chosen = [n for n in game.numbers if n.endswith(last)]
    if settings.finale_zero is FinaleZero.SINGLE:
        chosen = [n for n in chosen if not n.startswith("00")]
    return chosen


def _complete(
    game: Game, settings: Settings, arguments: tuple[str, ...]
) -> Sequence[BettingArea]:
    inside = [area for area in game.areas if area.wager_type in INSIDE]
    match arguments:
        case ("dozen", place) if f"dozen:{place}" in game.area_by_name:
            dozen = game.area_by_name[f"dozen:{place}"].numbers
            if settings.complete_dozen is CompleteDozen.INSIDE:
                return [area for area in inside if area.numbers <= dozen]
            return [area for area in inside if area.numbers & dozen]
        case (number,) if number in game.numbers:
            return [area for area in inside if area.covers(Number(number))]
    return ()
