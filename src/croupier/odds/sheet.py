"""A PAR sheet: every wager of a game with its odds, and what they rest on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from croupier.odds.bands import Band, bands_of, volatility_index
from croupier.odds.chips import Terms, read_terms
from croupier.odds.figures import Odds
from croupier.odds.liability import Liability, NoBound, liability_at
from croupier.odds.model import Model, model_of
from croupier.odds.plots import Plot, funnel, level_bars
from croupier.odds.reckoning import unit_odds
from croupier.odds.sources import Source, clauses_used, readings_used
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
from croupier.rules.limits import Limits
from croupier.rules.notation import MultipleText, is_at_maximum
from croupier.rules.wagers import Placement, find_placement


@dataclass(frozen=True, repr=False)
class Kind:
    """Wagers of one sort that have the same odds; one of them stands for all."""

    title: str
    odds: Odds
    wagers: tuple[str, ...]

    def __repr__(self) -> str:
        return f"<{len(self.wagers)} × {self.title}: {self.odds!r}>"

    @property
    def volatility_index(self) -> float:
        return volatility_index(self.odds.net)

    @cached_property
    def bands(self) -> tuple[Band, ...]:
        return bands_of(self.odds.net)

    def plot(self) -> Plot:
        """The bands of the return, from a thousand rounds to ten million."""
        return funnel(self.title, self.bands, float(self.odds.return_to_player))


@dataclass(frozen=True, repr=False)
class ParSheet:
    """The odds of a game's wagers, each per unit staked on the whole wager."""

    model: Model
    terms: Terms
    wagers: tuple[Odds, ...]
    """One for each betting area, in the order of the layout's list."""
    multiple_piece_wagers: tuple[Odds, ...]

    @property
    def game(self) -> Game:
        return self.model.game

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """The wagers by sort: areas by their type, the others by their word."""
        titles = {each.value: each.title for each in WagerType}
        together: dict[object, list[Odds]] = {}
        for odds in (*self.wagers, *self.multiple_piece_wagers):
            word = odds.name.partition(":")[0]
            key = word, odds.pieces, odds.net, odds.win_probability
            together.setdefault(key, []).append(odds)
        return tuple(
            Kind(_title(titles, alike[0]), alike[0], tuple(o.name for o in alike))
            for alike in together.values()
        )

    @property
    def clauses(self) -> tuple[Source, ...]:
        """The clauses of the document that the figures rest on."""
        return clauses_used(self.game, self.terms)

    @property
    def readings(self) -> tuple[Source, ...]:
        """The readings of ours that they rest on."""
        return readings_used(self.game, self.terms)

    @cached_property
    def liability(self) -> Liability | None:
        """The most that one Player can win; None where the limits set no bound."""
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
        """The volatility index of each sort of wager."""
        bars = [(kind.odds.name, kind.volatility_index) for kind in self.kinds]
        return level_bars("Volatility index by sort of wager", bars)

    def html(self, footer: str = "") -> str:
        """The whole sheet as one page that needs nothing else; `footer` ends it."""
        from croupier.odds.sheet_page import sheet_page

        return sheet_page(self, footer)

    def _repr_html_(self) -> str:
        from croupier.odds.sheet_tables import kind_table

        return kind_table(self).html()


def _title(titles: dict[str, str], odds: Odds) -> str:
    word = odds.name.partition(":")[0]
    return titles.get(word) or word.replace("_", " ").title()


def par_sheet(
    game: str | Game | Model,
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
) -> ParSheet:
    """The whole sheet; complete maximum wagers are in it where `limits` stake them."""
    model = model_of(game)
    terms = read_terms(model.game, limits=limits, settings=settings)
    return whole_sheet(model, terms)


def whole_sheet(model: Model, terms: Terms) -> ParSheet:
    """Every betting area and every multiple-piece wager."""
    areas = [area.name for area in model.game.areas]
    named = list(_multiple_names(model.game, terms))
    return sheet_of(model, areas, named, terms)


def sheet_of(
    model: Model, wagers: Sequence[str], multiple: Sequence[str], terms: Terms
) -> ParSheet:
    """A sheet of just these wagers."""
    free = Terms(Limits(), terms.settings, None, frozenset())

    def odds(name: str) -> Odds:
        return unit_odds(model, name, terms if is_at_maximum(name) else free)

    return ParSheet(model, terms, tuple(map(odds, wagers)), tuple(map(odds, multiple)))


def _multiple_names(game: Game, terms: Terms) -> Iterator[str]:
    """Every multiple-piece wager that the game and the terms allow."""
    for word, (_, multiple) in game.multiples.items():
        if isinstance(multiple, Complete) and multiple.at_maximum:
            staked = [terms.limits.of(kind) for kind in INSIDE]
            if None in staked:
                continue
        for arguments in _arguments(game, multiple):
            text = MultipleText(word, arguments)
            if isinstance(find_placement(game, terms.settings, text), Placement):
                yield text.name


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
