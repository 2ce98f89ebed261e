"""A PAR sheet: every wager of a game with its odds, and the clauses they rest on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from typing import Any

from msgspec import Struct

from croupier.games.readings import READINGS
from croupier.odds.bands import ReturnBand, bands_of, volatility_index
from croupier.odds.chips import LayoutTerms, read_terms
from croupier.odds.liability import Liability, NoBound, liability_at
from croupier.odds.model import Model, model_of
from croupier.odds.wager_odds import Odds, placement_odds, unit_odds
from croupier.rules.clause import Rule
from croupier.rules.game import (
    Complete,
    Finales,
    FixedPieces,
    Game,
    MultiplePiece,
    Neighbours,
    Settings,
)
from croupier.rules.layout import INSIDE, WagerType
from croupier.rules.notation import MultipleText
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.terms import Limits
from croupier.tabular import Plot, data_frame

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
"""The rules for wagers, wins and payments."""
_LIMIT_RULES = frozenset({Rule.LIMITS, Rule.UNDER_MINIMUM, Rule.OVER_MAXIMUM})
_Asks = Callable[[Game], bool]


class WagerKind(Struct, frozen=True, dict=True):
    """Wagers of one sort with equal odds; `odds` are those of the first."""

    title: str
    odds: Odds
    wagers: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{len(self.wagers)} × {self.title}: {self.odds!r}>"

    @property
    def volatility_index(self) -> float:
        return volatility_index(self.odds.net)

    @cached_property
    def bands(self) -> tuple[ReturnBand, ...]:
        return bands_of(self.odds.net)

    def plot(self) -> Plot:
        """Plot the bands of the return, from a thousand rounds to ten million."""
        from croupier.odds.plots import funnel

        plot = funnel(self.title, self.bands, float(self.odds.return_to_player))
        return Plot(plot.svg, self.title, self.odds.name)


class ParSheet(Struct, frozen=True, dict=True):
    """The odds of a game's wagers, each per unit staked on the whole wager."""

    model: Model
    terms: LayoutTerms
    wagers: tuple[Odds, ...]
    """One for each betting area, in the order of the layout's list."""
    multiple_piece_wagers: tuple[Odds, ...]

    @property
    def game(self) -> Game:
        return self.model.game

    @cached_property
    def kinds(self) -> tuple[WagerKind, ...]:
        """The wagers by sort: areas by type, the others by their first word."""
        titles = {each.value: each.title for each in WagerType}
        together: dict[object, list[Odds]] = {}
        for odds in (*self.wagers, *self.multiple_piece_wagers):
            word = odds.name.partition(":")[0]
            key = word, odds.pieces, odds.net, odds.win_probability
            together.setdefault(key, []).append(odds)
        return tuple(
            WagerKind(_title(titles, alike[0]), alike[0], tuple(o.name for o in alike))
            for alike in together.values()
        )

    @property
    def clauses(self) -> tuple[Citation, ...]:
        """The document's clauses about wins and payments."""
        rules = _RULES | _LIMIT_RULES if self._are_limited else _RULES
        return tuple(
            Citation(row.number, row.says)
            for row in self.game.clauses
            if not rules.isdisjoint(row.rules)
        )

    @property
    def readings(self) -> tuple[Citation, ...]:
        """Our readings that affect the figures at these terms."""
        used = {**_USED_BY, **_AT_LIMITS} if self._are_limited else _USED_BY
        return tuple(
            Citation(reading.id, reading.answer)
            for reading in READINGS
            if reading.id in used and used[reading.id](self.game)
        )

    @property
    def _are_limited(self) -> bool:
        return bool(self.terms.limits.general or self.terms.limits.by_type)

    @cached_property
    def liability(self) -> Liability | None:
        """The most that one Player can win; None if the limits set no bound."""
        try:
            return liability_at(self.model, self.terms)
        except NoBound:
            return None

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return (
            f"PAR sheet of {self.game.document}: {len(self.wagers)} wagers and"
            f" {len(self.multiple_piece_wagers)} multiple-piece wagers"
        )

    def plot(self) -> Plot:
        """Plot the volatility index of each sort of wager."""
        from croupier.odds.plots import level_bars

        bars = [(kind.odds.name, kind.volatility_index) for kind in self.kinds]
        return level_bars("Volatility index by sort of wager", bars)

    def html(self, footer: str = "") -> str:
        """Return the sheet as a page that needs no other file."""
        from croupier.odds.sheet_formats import sheet_page

        return sheet_page(self, footer).html()

    def xlsx(self, footer: str = "") -> bytes:
        from croupier.odds.sheet_formats import sheet_page

        return sheet_page(self, footer).xlsx()

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each wager; fractions become floats."""
        from croupier.odds.sheet_formats import wager_rows

        return data_frame(wager_rows(self))

    def _repr_html_(self) -> str:
        from croupier.odds.sheet_formats import kind_table

        return kind_table(self)._repr_html_()


def _title(titles: dict[str, str], odds: Odds) -> str:
    word = odds.name.partition(":")[0]
    return titles.get(word) or word.replace("_", " ").title()


def par_sheet(
    game: str | Game | Model,
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
) -> ParSheet:
    """Return a game's sheet, with complete maximum wagers if `limits` stake them."""
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings)
    return whole_sheet(model, terms)


def whole_sheet(model: Model, terms: LayoutTerms) -> ParSheet:
    """Return the sheet of all betting areas and multiple-piece wagers."""
    areas = [Placement(area.name, (area,)) for area in model.game.areas]
    placed = [
        tuple(placement_odds(model, each, terms) for each in some)
        for some in (areas, _multiples(model.game, terms))
    ]
    return ParSheet(model, terms, *placed)


def sheet_of(model: Model, wagers: Iterable[str], terms: LayoutTerms) -> ParSheet:
    odds = tuple(unit_odds(model, wager, terms) for wager in wagers)
    return ParSheet(model, terms, odds, ())


def _multiples(game: Game, terms: LayoutTerms) -> Iterator[Placement]:
    """Yield the multiple-piece wagers that the game and the terms allow."""
    for word, (_, multiple) in game.multiples.items():
        if isinstance(multiple, Complete) and multiple.at_maximum:
            staked = [terms.limits.of(kind) for kind in INSIDE]
            if None in staked:
                continue
        for arguments in _arguments(game, multiple):
            text = MultipleText(word, arguments)
            found = find_placement(game, terms.settings, text)
            if isinstance(found, Placement):
                yield found


def _arguments(game: Game, multiple: MultiplePiece) -> Iterator[tuple[str, ...]]:
    if isinstance(multiple, FixedPieces):
        yield ()
    elif isinstance(multiple, Finales):
        yield from ((digit,) for digit in "0123456789")
    elif isinstance(multiple, Neighbours):
        several = len(multiple.radii) > 1
        for radius in multiple.radii:
            for number in game.numbers:
                yield (number, str(radius)) if several else (number,)
    else:
        yield from ((number,) for number in game.numbers)
        dozens = [a.name for a in game.areas if a.wager_type is WagerType.DOZEN]
        yield from (tuple(name.split(":")) for name in dozens)


class Citation(Struct, frozen=True):
    """A clause or a reading, in our own words."""

    number: str
    says: str


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
