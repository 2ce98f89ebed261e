"""Kinds of areas for the best play: those that are alike, and stakes on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from croupier.odds.chips import Chips, LayoutTerms, round_result
from croupier.odds.model import Model
from croupier.odds.sessions.request import maximum_cents
from croupier.odds.sessions.strategy import SessionError
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.layout import BettingArea
from croupier.rules.notation import read_wager
from croupier.rules.wagers import find_placement

_CENTS = 100


@dataclass(frozen=True, slots=True)
class AreaKind:
    """Betting areas with the same chances, pays and limits; in chips."""

    areas: tuple[str, ...]
    gains: tuple[int, ...]
    """What a chip wins, for each way of winning."""
    chances: tuple[Fraction, ...]
    least: int
    most: int | None

    @property
    def edge(self) -> Fraction:
        """What the House keeps of a chip, on average."""
        pairs = zip(self.gains, self.chances, strict=True)
        return 1 - sum(((gain + 1) * chance for gain, chance in pairs), Fraction(0))


@dataclass(frozen=True, slots=True)
class StakedArea:
    """So many chips on one area of a kind."""

    kind: AreaKind
    chips: int


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
    """Return the areas by kind, in the layout's order, on which chips may lie.

    Raises `SessionError` where the House has no edge, because then there is no best
    play to be found by these means.
    """
    alike: dict[tuple[object, ...], list[str]] = {}
    for area in areas:
        least, most = _in_chips(terms, area, chip_cents)
        if most is None or least <= most:
            result = round_result(model, [Chips(area.name, _CENTS)])
            key = (result.values, result.probabilities, least, most)
            alike.setdefault(key, []).append(area.name)
    kinds = [_kind(tuple(names), *key) for key, names in alike.items()]
    for kind in kinds:
        if kind.edge <= 0:
            raise SessionError(
                f"the House has no edge on {kind.areas[0]}: best play is reckoned"
                " only where it has one"
            )
    return kinds


def _kind(areas: tuple[str, ...], *key: object) -> AreaKind:
    values, chances, least, most = key
    assert isinstance(values, tuple)
    assert isinstance(chances, tuple)
    assert isinstance(least, int)
    assert isinstance(most, int | None)
    pairs = zip(values, chances, strict=True)
    won = [(value // _CENTS, chance) for value, chance in pairs if value > 0]
    gains, their_chances = zip(*won, strict=True) if won else ((), ())
    return AreaKind(areas, gains, their_chances, least, most)


def _in_chips(
    terms: LayoutTerms, area: BettingArea, chip_cents: int
) -> tuple[int, int | None]:
    limit = terms.limits.of(area.wager_type)
    least = -(-limit.minimum_cents // chip_cents) if limit else 1
    most = maximum_cents(terms, area.wager_type)
    return max(1, least), None if most is None else most // chip_cents


def named_areas(
    model: Model, terms: LayoutTerms, names: Iterable[str]
) -> list[BettingArea]:
    """Return the areas of these names; raise `WagerRefused` and `NotationError`."""
    game = model.game
    found: list[BettingArea] = []
    for name in names:
        placement = find_placement(
            game, terms.settings, read_wager(name, game.multiples)
        )
        if isinstance(placement, Refusal):
            raise WagerRefused(placement)
        if placement.multiple is not None:
            raise SessionError(f"{name} is no single area")
        found.extend(placement.areas)
    return found
