"""Betting areas for the best play, grouped by equal odds and limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from croupier.lab.sessions.request import maximum_cents
from croupier.lab.sessions.strategy import SessionError
from croupier.odds.chips import Chips, LayoutTerms
from croupier.odds.distribution import Distribution
from croupier.odds.layouts import round_result
from croupier.odds.model import Model, cases_of
from croupier.rules.cents import write_cents
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.layout import BettingArea
from croupier.rules.notation import read_wager
from croupier.rules.pieces import find_placement
from croupier.rules.wheel import Number

_CENTS = 100
_STEPS = 20_000
"""Areas tried before a set of pieces counts as impossible to place."""


@dataclass(frozen=True, slots=True)
class AreaKind:
    """Betting areas with the same chances, pays and limits; amounts are in chips."""

    areas: tuple[str, ...]
    wins: tuple[int, ...]
    """For each area, the bits of the cases in which it wins."""
    gains: tuple[int, ...]
    """For each way of winning, the win of a chip."""
    chances: tuple[Fraction, ...]
    least: int
    most: int | None
    size: int
    """The numbers that an area takes from the wheel; see `_sizes`."""

    @property
    def edge(self) -> Fraction:
        pairs = zip(self.gains, self.chances, strict=True)
        return 1 - sum(((gain + 1) * chance for gain, chance in pairs), Fraction(0))


@dataclass(frozen=True, slots=True)
class StakedArea:
    """Chips on one area of a kind."""

    kind: AreaKind
    chips: int
    place: int = 0
    """The index of the area in its kind."""

    @property
    def area(self) -> str:
        return self.kind.areas[self.place]


def outcomes(bankroll: int, pieces: Sequence[StakedArea]) -> list[tuple[int, Fraction]]:
    """Return the bankrolls after a round in which at most one of the pieces wins."""
    kept = bankroll - sum(piece.chips for piece in pieces)
    won = [
        (kept + (1 + gain) * piece.chips, chance)
        for piece in pieces
        for gain, chance in zip(piece.kind.gains, piece.kind.chances, strict=True)
    ]
    lost = 1 - sum((chance for _, chance in won), Fraction(0))
    return [*won, (kept, lost)]


def find_kinds(
    model: Model, areas: Iterable[BettingArea], terms: LayoutTerms, chip_cents: int
) -> list[AreaKind]:
    """Return the kinds of the areas on which chips may lie, in the layout's order."""
    every = {area.name: area for area in areas}
    cases = list(enumerate(cases_of(model)))
    wins = {
        name: sum(1 << place for place, case in cases if name in case.winning)
        for name in every
    }
    sizes = _sizes(model, wins)
    alike: dict[tuple[Distribution, int, int | None, int], list[str]] = {}
    for name, area in every.items():
        least, most = _stake_range(terms, area, chip_cents)
        if most is None or least <= most:
            result = round_result(model, [Chips(name, _CENTS)])
            alike.setdefault((result, least, most, sizes[name]), []).append(name)
    kinds = []
    for (result, least, most, size), names in alike.items():
        pairs = zip(result.values, result.probabilities, strict=True)
        won = [(int(v) // _CENTS, chance) for v, chance in pairs if v > -_CENTS]
        gains, chances = zip(*won, strict=True) if won else ((), ())
        their = tuple(wins[name] for name in names)
        kinds.append(AreaKind(tuple(names), their, gains, chances, least, most, size))
    return kinds


def least_loss(kinds: Iterable[AreaKind]) -> Fraction:
    """Return the least expected loss of a round with a wager, in chips."""
    return min(kind.edge * kind.least for kind in kinds)


def check_edge(kinds: Iterable[AreaKind]) -> None:
    """Raise `SessionError` if the House has no edge: the bounds need one."""
    for kind in kinds:
        if kind.edge <= 0:
            raise SessionError(
                f"the House has no edge on {kind.areas[0]}: the best play towards a"
                " target is searched only if it has one, stakes for growth always"
            )


def check_bankroll(bankroll_cents: int, chip_cents: int) -> None:
    """Raise `SessionError` if the bankroll is below the chip unit."""
    if bankroll_cents < chip_cents:
        raise SessionError(
            f"the bankroll of {write_cents(bankroll_cents)} is below the chip unit of"
            f" {write_cents(chip_cents)}"
        )


def _sizes(model: Model, wins: Mapping[str, int]) -> dict[str, int]:
    """Return sizes: those of areas that never win together add up to at most the wheel.

    An area's size is the count of numbers with which it always wins. An area that wins
    with every number, but not always, only goes with others of its kind: the most of
    them that never win together share the wheel.
    """
    cases: dict[Number, int] = {}
    for place, case in enumerate(cases_of(model)):
        cases[case.number] = cases.get(case.number, 0) | 1 << place
    sizes = {
        name: sum(won & of_number == of_number for of_number in cases.values())
        for name, won in wins.items()
    }
    sharing = {
        name: won
        for name, won in wins.items()
        if not sizes[name] and all(won & of_number for of_number in cases.values())
    }
    every = tuple(sharing.values())
    for name, won in sharing.items():
        sizes[name] = len(cases) // (1 + _most_apart(every, won))
    return sizes


def _most_apart(wins: tuple[int, ...], taken: int) -> int:
    """Return the greatest number of these that never win together or with `taken`."""
    if not wins:
        return 0
    first, *rest = wins
    without = _most_apart(tuple(rest), taken)
    if first & taken:
        return without
    return max(without, 1 + _most_apart(tuple(rest), taken | first))


def families(kinds: Sequence[AreaKind]) -> list[list[AreaKind]]:
    """Return the kinds in groups; any areas of two groups can win together."""
    groups: list[list[AreaKind]] = []
    for kind in kinds:
        beside = [group for group in groups if any(_apart(kind, k) for k in group)]
        joined = [other for group in beside for other in group]
        groups = [group for group in groups if group not in beside]
        groups.append([*joined, kind])
    return groups


def _apart(one: AreaKind, two: AreaKind) -> bool:
    """Return whether an area of each kind never wins with one of the other."""
    return any(not mine & theirs for mine in one.wins for theirs in two.wins)


def place_apart(pieces: Sequence[StakedArea]) -> tuple[StakedArea, ...] | None:
    """Return the pieces on areas that never win together; None if none are found.

    The search gives up after `_STEPS` areas.
    """
    order = sorted(pieces, key=lambda piece: -piece.kind.size)
    steps = iter(range(_STEPS))

    def place(at: int, taken: int) -> tuple[StakedArea, ...] | None:
        if at == len(order):
            return ()
        piece = order[at]
        for found, won in enumerate(piece.kind.wins):
            if won & taken or next(steps, None) is None:
                continue
            rest = place(at + 1, taken | won)
            if rest is not None:
                return (StakedArea(piece.kind, piece.chips, found), *rest)
        return None

    return place(0, 0)


def _stake_range(
    terms: LayoutTerms, area: BettingArea, chip_cents: int
) -> tuple[int, int | None]:
    """Return the least and the most chips on an area; None without a maximum."""
    limit = terms.limits.of(area.wager_type)
    least = -(-limit.minimum_cents // chip_cents) if limit else 1
    most = maximum_cents(terms, area.wager_type)
    return max(1, least), None if most is None else most // chip_cents


def named_areas(
    model: Model, terms: LayoutTerms, names: Iterable[str]
) -> list[BettingArea]:
    """Return the areas of these names; raise `WagerRefused` and `NotationError`.

    They come in the layout's order. Of equally good wagers the first is chosen, and the
    choice must not depend on the order of the names.
    """
    game = model.game
    found: set[str] = set()
    for name in names:
        text = read_wager(name, game.multiples, game.numbers)
        placement = find_placement(game, terms.settings, text)
        if isinstance(placement, Refusal):
            raise WagerRefused(placement)
        if placement.multiple is not None:
            raise SessionError(f"{name} is no single area")
        found.update(area.name for area in placement.areas)
    return [area for area in game.areas if area.name in found]
